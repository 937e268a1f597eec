import { formatCount } from '../shared/money.js';
import type { Coverage, MetricsResponse } from '../../../schemas/metrics.js';
import type { Static } from 'typebox';

export interface Verdict {
  /** Before the number; empty: nothing that it is made of is left out. */
  word: '' | 'at most' | 'at least' | 'incomplete';
  /** What is not known. */
  gaps: string[];
  /** What is known by an estimate alone. */
  estimates: string[];
}

const UNKNOWN = [
  { key: 'orders_without_cost', what: 'product costs' },
  { key: 'orders_without_fee', what: 'the payment fee' },
  { key: 'orders_without_tax', what: 'the tax' },
  { key: 'orders_without_fulfillment', what: 'packing and shipping' },
] as const;

type Counts = Pick<
  Coverage,
  'orders' | 'orders_fee_estimated' | 'refunds_without_tax' | (typeof UNKNOWN)[number]['key']
>;

/**
 * What is not known counts 0: a cost, a tax, or a cost in a currency that is left out makes the real earnings lower, tax that was given
 * back makes them higher.
 */
export function verdictOf(coverage: Counts, leftOut: readonly string[] = []): Verdict {
  const { orders, orders_fee_estimated: estimated, refunds_without_tax: refunds } = coverage;
  const lower = UNKNOWN.flatMap(({ key, what }) => {
    const count = coverage[key];
    return count === 0 ? [] : [`${what} of ${ofAll(count, orders)}`];
  });
  if (leftOut.length > 0) lower.push(leftOut.join(', '));
  const higher = refunds === 0 ? [] : [`the tax of ${formatCount(refunds)} ${refunds === 1 ? 'refund' : 'refunds'}`];
  const one = lower.length > 0 ? 'at most' : higher.length > 0 ? 'at least' : '';
  return {
    word: lower.length > 0 && higher.length > 0 ? 'incomplete' : one,
    gaps: [...lower, ...higher],
    estimates: estimated === 0 ? [] : [`the payment fee of ${ofAll(estimated, orders)}`],
  };
}

/** What is in other currencies and in no figure, as {@link verdictOf} names it. */
export function leftOutOf({
  left_out: spend = [],
  currency_note: note,
}: Pick<Static<typeof MetricsResponse>, 'left_out' | 'currency_note'>): string[] {
  const currencies = [...new Set(spend.map(({ currency }) => currency))];
  if (currencies.length > 0) return [`ads in ${currencies.join(', ')}`];
  return note === undefined ? [] : ['expenses in another currency'];
}

/** Whether a cost that net profit is made of is not known. */
export function isProfitAtMost(coverage: Pick<Counts, 'orders_without_cost' | 'orders_without_fee'>): boolean {
  return coverage.orders_without_cost + coverage.orders_without_fee > 0;
}

/** `564 of 1,573 orders`, `all 3 orders`. */
export function ofAll(count: number, orders: number): string {
  const all = `${formatCount(orders)} ${orders === 1 ? 'order' : 'orders'}`;
  return count === orders ? (orders === 1 ? 'the one order' : `all ${all}`) : `${formatCount(count)} of ${all}`;
}
