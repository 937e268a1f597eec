import type { CauseKind } from '../../../domain/metrics/restatements.js';
import type { CauseEntry } from '../../../schemas/restatement-causes.js';
import { formatCount } from '../shared/money.js';

const KINDS: Readonly<Record<CauseKind, [one: string, many: string]>> = {
  late_order: ['order of a past day arrived', 'orders of past days arrived'],
  edited_order: ['order was changed', 'orders were changed'],
  refund: ['order was refunded', 'orders were refunded'],
  deletion: ['order counts no more', 'orders count no more'],
  clock: ['order moved to the day of a new time zone law', 'orders moved to the days of a new time zone law'],
  unit_cost: ['unit cost was changed', 'unit costs were changed'],
  order_cost: ['cost of an order was changed', 'costs of orders were changed'],
  fee_rule: ['fee rule was changed', 'fee rules were changed'],
  spend: ['row of ad spend arrived', 'rows of ad spend arrived'],
  expense: ['expense was changed', 'expenses were changed'],
  rates: ['exchange rate was changed', 'exchange rates were changed'],
  source: ['change of the settings of the shop', 'changes of the settings of the shop'],
  rebuild: ['day was computed again', 'days were computed again'],
};

/** An order counts on each day that it changed: of several days there is no number of orders. */
export function causeName({ kind, count, days }: Pick<CauseEntry, 'kind' | 'count' | 'days'>): string {
  const [one, many] = KINDS[kind];
  if (count === 1) return `1 ${one}`;
  const isOfDays = days > 1 && OF_ORDERS.includes(kind);
  return isOfDays ? many.charAt(0).toUpperCase() + many.slice(1) : `${formatCount(count)} ${many}`;
}
const OF_ORDERS: readonly CauseKind[] = ['late_order', 'edited_order', 'refund', 'deletion', 'clock'];
