import { Type } from 'typebox';
import type { CauseGroup } from '../../domain/metrics/cause-groups.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';
import { literal } from '../sql.js';

/** Names of a cause. */
export const MAX_NAMES = 20;

type Named = Pick<CauseGroup, 'kind' | 'pushes' | 'records'>;

/** SKUs whose costs were pushed, and names of expenses, by cause; of other kinds none. */
export type NameCauses = (shopId: string, causes: readonly Named[]) => Promise<string[][]>;

const SKUS = defineQuery('products of pushed costs', { number: Type.Number(), skus: Type.Array(Type.String()) });
const EXPENSES = defineQuery('names of expenses', texts('id', 'name'));

export function createCauseNames(warehouse: Warehouse): NameCauses {
  /** By the pushes that wrote them; versions that were replaced meanwhile may be gone. */
  const skus = async (shopId: string, causes: readonly Named[]): Promise<Map<Named, string[]>> => {
    const ranges = causes.flatMap((cause) =>
      cause.kind === 'unit_cost' ? cause.pushes.slice(0, MAX_NAMES).map((push) => ({ cause, ...push })) : [],
    );
    if (ranges.length === 0) return new Map();
    const [firsts, lasts] = [ranges.map(({ firstStamp }) => firstStamp), ranges.map(({ lastStamp }) => lastStamp)];
    const rows = await warehouse.ask(
      SKUS(
        `SELECT toUInt32(arrayFirstIndex((first, last) -> c.version BETWEEN first AND last,
        {firsts:Array(UInt64)}, {lasts:Array(UInt64)})) AS number, arraySort(groupUniqArray(${MAX_NAMES})(c.sku)) AS skus
      FROM product_costs AS c
      WHERE c.shop_id = {shop:String} AND c.version BETWEEN {first:UInt64} AND {last:UInt64}
      GROUP BY number HAVING number > 0`,
        { shop: shopId, firsts, lasts, first: Math.min(...firsts), last: Math.max(...lasts) },
      ),
    );
    const byCause = new Map<Named, string[]>();
    for (const { number, skus: own } of rows.sort((a, b) => a.number - b.number)) {
      const cause = ranges[number - 1]?.cause;
      if (cause !== undefined) byCause.set(cause, [...new Set([...(byCause.get(cause) ?? []), ...own])]);
    }
    return byCause;
  };

  /** The name that each has now; nothing is kept of one that was deleted. */
  const expenses = async (shopId: string, causes: readonly Named[]): Promise<Map<string, string>> => {
    const ids = [...new Set(causes.flatMap(({ records }) => records.slice(0, MAX_NAMES)))];
    if (ids.length === 0) return new Map();
    const rows = await warehouse.ask(
      EXPENSES(
        `SELECT e.expense_id AS id, e.name AS name FROM expenses AS e FINAL
      WHERE e.shop_id = {shop:String} AND e.expense_id IN (${ids.map(literal).join(',')})`,
        { shop: shopId },
      ),
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  };

  return async (shopId, causes) => {
    const [bySku, byExpense] = await Promise.all([skus(shopId, causes), expenses(shopId, causes)]);
    return causes.map((cause) => {
      const names = bySku.get(cause) ?? cause.records.flatMap((id) => byExpense.get(id) ?? []);
      return [...new Set(names)].slice(0, MAX_NAMES);
    });
  };
}
