import { echo } from '../../errors.js';
import { formatScaled, isMore, toMicros } from '../micros.js';
import { parseTimestamp } from '../time.js';
import type { OrderInput, RefundInput } from './orders.js';
import { MAX_WARNINGS, type OrderWarning } from './warning-codes.js';

/**
 * The warnings of a valid order, at most {@link MAX_WARNINGS}. An absent `tax` or `gateway_fee` is not known, so nothing is
 * compared with it.
 */
export function orderWarnings(order: OrderInput): OrderWarning[] {
  const warnings: OrderWarning[] = [];
  const { tax, gateway_fee: fee, total, refunds } = order;
  if (exceeds(tax, total)) {
    warnings.push({ code: 'tax_exceeds_total', message: `tax is ${tax}, more than total, ${total}.`, field: 'tax' });
  }
  if (exceeds(fee, total)) {
    const message = `gateway_fee is ${fee}, more than total, ${total}.`;
    warnings.push({ code: 'fee_exceeds_total', message, field: 'gateway_fee' });
  }
  if (refunds === undefined || refunds.length === 0) return warnings;
  compareSum(warnings, refunds, { code: 'refund_exceeds_total', field: 'total', name: 'total', most: total });
  compareSum(warnings, refunds, { code: 'tax_refund_exceeds_tax', field: 'tax_refund', name: 'tax', most: tax });
  compareSum(warnings, refunds, {
    code: 'fee_refund_exceeds_fee',
    field: 'gateway_fee_refund',
    name: 'gateway_fee',
    most: fee,
  });
  compareQuantities(warnings, order, refunds);
  compareTimes(warnings, order, refunds);
  return warnings.slice(0, MAX_WARNINGS);
}

function exceeds(amount: string | undefined, most: string): amount is string {
  return amount !== undefined && isMore(amount, most);
}

interface Comparison {
  code: OrderWarning['code'];
  field: 'total' | 'tax_refund' | 'gateway_fee_refund';
  /** The field of the order that the sum is compared with, and its value. */
  name: string;
  most: string | undefined;
}

/** Names the refund by which the sum is too much. */
function compareSum(
  warnings: OrderWarning[],
  refunds: readonly RefundInput[],
  { code, field, name, most }: Comparison,
): void {
  if (most === undefined) return;
  const limit = toMicros(most);
  let sum = 0n;
  let first = -1;
  refunds.forEach((refund, i) => {
    sum += toMicros(refund[field] ?? '0');
    if (first === -1 && sum > limit) first = i;
  });
  if (first === -1) return;
  const message = `${field} of all refunds is ${formatScaled(sum, 6)}, more than ${name} of the order, ${most}.`;
  warnings.push({ code, message, field: `refunds[${first}].${field}` });
}

/** Names, for each line, the entry by which more units came back than were sold. */
function compareQuantities(warnings: OrderWarning[], order: OrderInput, refunds: readonly RefundInput[]): void {
  if (refunds.every(({ line_items }) => line_items === undefined || line_items.length === 0)) return;
  const left = new Map(order.line_items.map(({ line_id, quantity }) => [line_id, toMicros(quantity)]));
  const over = new Map<string, string>();
  refunds.forEach(({ line_items = [] }, i) => {
    line_items.forEach(({ line_id, quantity }, j) => {
      const rest = (left.get(line_id) ?? 0n) - toMicros(quantity);
      left.set(line_id, rest);
      if (rest < 0n && !over.has(line_id)) over.set(line_id, `refunds[${i}].line_items[${j}].quantity`);
    });
  });
  for (const { line_id, quantity } of order.line_items) {
    const field = over.get(line_id);
    if (field === undefined) continue;
    const returned = formatScaled(toMicros(quantity) - (left.get(line_id) ?? 0n), 6);
    const message = `quantity of all refunds of line "${echo(line_id)}" is ${returned}, more than the ${quantity} sold.`;
    warnings.push({ code: 'refund_exceeds_quantity', message, field });
  }
}

function compareTimes(warnings: OrderWarning[], order: OrderInput, refunds: readonly RefundInput[]): void {
  const placedAt = parseTimestamp(order.placed_at) ?? 0;
  refunds.forEach(({ refunded_at }, i) => {
    if ((parseTimestamp(refunded_at) ?? placedAt) >= placedAt) return;
    const field = `refunds[${i}].refunded_at`;
    const message = `${field} is ${refunded_at}, before placed_at, ${order.placed_at}.`;
    warnings.push({ code: 'refund_before_order', message, field });
  });
}
