import {
  compareDay,
  compareOrder,
  explainDay,
  listRange,
  notListed,
  type DayTotals,
  type Difference,
} from '../../domain/reconcile.js';
import { parseDay } from '../../domain/time.js';
import { RECONCILE_ORDERS, type ReconcileRequest, type ReconcileResponse } from '../../schemas/reconcile.js';
import type { Yielder } from '../../body/yielding.js';
import type { ReconcileReader } from '../../warehouse/queries/reconcile.js';
import type { RejectionsReader } from '../../warehouse/queries/rejections.js';

export interface ReconcileDeps {
  reader: ReconcileReader;
  rejections: Pick<RejectionsReader, 'lastOfOrders'>;
}

/** Compares the figures of a store with the stored ones. */
export type Reconcile = (shopId: string, request: ReconcileRequest, yielder: Yielder) => Promise<ReconcileResponse>;

type Rejected = Awaited<ReturnType<RejectionsReader['lastOfOrders']>>;

/** Most days for which reasons are looked up, because each reads its orders. */
const EXPLAINED_DAYS = 31;

export function createReconcile({ reader, rejections }: ReconcileDeps): Reconcile {
  const compareDays = async (shopId: string, days: readonly DayTotals[]): Promise<ReconcileResponse> => {
    const numberOf = ({ date }: DayTotals): number => parseDay(date) ?? 0;
    const here = await reader.days(shopId, days.map(numberOf));
    const found = days
      .map((day) => ({ day, differences: compareDay(day, here.get(numberOf(day))) }))
      .filter(({ differences }) => differences.length > 0);
    const explained = found.slice(0, EXPLAINED_DAYS).map(({ day }) => numberOf(day));
    const evidence = explained.length === 0 ? new Map<number, never>() : await reader.evidence(shopId, explained);
    const differences = found.flatMap(({ day, differences: own }) => {
      const known = evidence.get(numberOf(day));
      return known === undefined ? own : explainDay(own, day, here.get(numberOf(day)), known);
    });
    return { equal: days.length - found.length, differences };
  };

  const compareOrders = async (
    shopId: string,
    { orders = [], complete_for }: ReconcileRequest,
    yielder: Yielder,
  ): Promise<ReconcileResponse> => {
    const range = (complete_for && listRange(complete_for)) ?? undefined;
    const ids = orders.map(({ order_id }) => order_id);
    const here = await reader.orders(shopId, ids);
    const compare = async (rejected: Rejected): Promise<Difference[][]> => {
      const found: Difference[][] = [];
      for (const order of orders) {
        if (yielder.isDue()) await yielder.yield();
        const { order_id } = order;
        found.push(compareOrder(order, here.get(order_id), { range, rejection: rejected.get(order_id) }));
      }
      return found;
    };
    const unexplained = await compare(new Map());
    const differing = ids.filter((_, i) => (unexplained[i]?.length ?? 0) > 0);
    const found = await compare(await rejections.lastOfOrders(shopId, differing));
    const others =
      range === undefined
        ? []
        : (await reader.others(shopId, range, ids, RECONCILE_ORDERS + 1)).map((order) => notListed(order, range));
    return {
      equal: found.filter((own) => own.length === 0).length,
      differences: [...found.flat(), ...others.slice(0, RECONCILE_ORDERS)],
      ...(others.length > RECONCILE_ORDERS && { more: true }),
    };
  };

  return (shopId, request, yielder) =>
    request.days === undefined ? compareOrders(shopId, request, yielder) : compareDays(shopId, request.days);
}
