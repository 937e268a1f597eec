import { formatCount } from '../shared/money.js';
import type { Coverage } from '../../../schemas/metrics.js';

export interface Verdict {
  /** Before the number; empty: all is known. */
  word: '' | 'at most' | 'at least' | 'incomplete';
  /** What is not known. */
  gaps: string[];
}

const UNKNOWN = [
  { key: 'orders_without_cost', what: 'product costs' },
  { key: 'orders_without_fee', what: 'the payment fee' },
  { key: 'orders_without_tax', what: 'the tax' },
  { key: 'orders_without_fulfillment', what: 'packing and shipping' },
] as const;

type Counts = Pick<Coverage, 'orders' | 'refunds_without_tax' | (typeof UNKNOWN)[number]['key']>;

/** What is not known counts 0: a cost or a tax makes the real earnings lower, tax that was given back makes them higher. */
export function verdictOf(coverage: Counts): Verdict {
  const lower = UNKNOWN.flatMap(({ key, what }) => {
    const count = coverage[key];
    return count === 0 ? [] : [`${what} of ${ofAll(count, coverage.orders)}`];
  });
  const refunds = coverage.refunds_without_tax;
  const higher = refunds === 0 ? [] : [`the tax of ${formatCount(refunds)} ${refunds === 1 ? 'refund' : 'refunds'}`];
  const one = lower.length > 0 ? 'at most' : higher.length > 0 ? 'at least' : '';
  return { word: lower.length > 0 && higher.length > 0 ? 'incomplete' : one, gaps: [...lower, ...higher] };
}

/** `564 of 1,573 orders`, `all 3 orders`. */
export function ofAll(count: number, orders: number): string {
  const all = `${formatCount(orders)} ${orders === 1 ? 'order' : 'orders'}`;
  return count === orders ? (orders === 1 ? 'the one order' : `all ${all}`) : `${formatCount(count)} of ${all}`;
}
