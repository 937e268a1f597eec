import type { OrderSummary } from '../../../schemas/order-reads.js';

/** Whether a part of the profit of an order is not known and counts 0: a unit cost, or its payment fee. */
export function isAtMost({
  counted,
  cogs_complete,
  fee_source,
}: Pick<OrderSummary, 'counted' | 'cogs_complete' | 'fee_source'>): boolean {
  return counted && (!cogs_complete || fee_source === 'none');
}
