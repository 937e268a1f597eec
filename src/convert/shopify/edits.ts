import type { Fields } from '../../domain/fields.js';
import { isOpen, money as plain, ONE, share, total } from '../amounts.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import { computedTotal } from '../totals.js';
import type { Sale } from '../sale.js';
import { netOf, type ShopifyLine } from './lines.js';
import type { ShopMoney } from './money.js';
import type { ShopifyRefund } from './refunds.js';

/** A sale whose lines and refunds still have what the platform says of them. */
export interface ShopifySale extends Sale {
  lines: ShopifyLine[];
  refunds: ShopifyRefund[];
}

/**
 * What the platform took off an order and no money shows: total − refunds − current total, plus what is owed to the buyer. It is
 * the value of goods that came back in an exchange, or of units that an edit removed before they were paid.
 */
export function applyEdits(sale: ShopifySale, order: Fields, money: ShopMoney, notes: Notes): ShopifySale {
  const current = money.given(order, 'current_total_price');
  if (isOpen(current)) return sale;
  const owed = plain(money.given(order, 'total_outstanding'), 'total_outstanding');
  const refunded = total(sale.refunds.map((refund) => refund.total));
  const taken = sale.total - refunded - plain(current, 'current_total_price') + (owed < 0n ? owed : 0n);
  const { refunds, left } = reverse(sale.refunds, taken, notes);
  const removed = removedUnits(sale);
  const isEdited = left > 0n && removed.some((units) => units > 0n);
  const reversed = { ...sale, refunds };
  return isEdited ? removeUnits(reversed, { removed, left }, order, money, notes) : reversed;
}

/** Gives it to refunds that have lines and no money, at most what their lines are worth. */
function reverse(given: readonly ShopifyRefund[], taken: bigint, notes: Notes) {
  let left = taken;
  const refunds = given.map((refund) => {
    if (left <= 0n || refund.total > 0n || refund.lines.length === 0 || refund.isPending) return refund;
    const amount = refund.value > 0n && refund.value < left ? refund.value : left;
    left -= amount;
    notes.add('reversed_without_money');
    return { ...refund, total: amount };
  });
  return { refunds, left };
}

/** By line: units that are no longer of the order and that no refund names. */
function removedUnits({ lines, refunds }: ShopifySale): bigint[] {
  const refunded = new Map<string, bigint>();
  for (const line of refunds.flatMap((refund) => refund.lines)) {
    refunded.set(line.id, (refunded.get(line.id) ?? 0n) + line.quantity);
  }
  return lines.map(({ id, quantity, current }) => {
    const gone = current === undefined ? 0n : quantity - current - (refunded.get(id) ?? 0n);
    return gone > 0n ? gone : 0n;
  });
}

function removeUnits(
  sale: ShopifySale,
  { removed, left }: { removed: bigint[]; left: bigint },
  order: Fields,
  money: ShopMoney,
  notes: Notes,
): ShopifySale {
  const whole = withoutUnits(sale, removed, left, taxAfter(sale, removed, order, money));
  // Some of them may have been paid, and be owed to the buyer: then as many go as were not.
  const edited = whole ?? withoutUnits(sale, ...someUnits(sale, removed, left));
  if (edited === undefined) {
    const message = 'An edit removed units whose value does not explain the difference of total and current total.';
    throw hold('sum_residual', 'current_total_price', message);
  }
  if (edited.lines.length === 0) {
    throw hold('all_lines_removed', 'line_items', 'An edit removed all lines before they were paid.');
  }
  notes.add('edited_before_payment');
  return edited;
}

/** The sale without some units, if its parts then give its total. */
function withoutUnits(
  sale: ShopifySale,
  removed: readonly bigint[],
  left: bigint,
  tax: bigint,
): ShopifySale | undefined {
  const lines = sale.lines
    .map((line, i) => fewer(line, line.quantity - (removed[i] ?? 0n)))
    .filter((line) => line.quantity > 0n);
  const rest = { ...sale, lines, tax, total: sale.total - left };
  const residual = (computedTotal(rest) - rest.total * ONE) / ONE;
  if (residual === 0n) return rest;
  // The platform divides a discount to the cent: what its parts miss is of the first line that was divided.
  const divided = lines.findIndex((line, i) => line.discount > 0n && (sale.lines[i]?.quantity ?? 0n) > line.quantity);
  const line = lines[divided];
  const most = 10_000n * BigInt(lines.length);
  if (line === undefined || residual > most || residual < -most || line.discount + residual < 0n) return undefined;
  return { ...rest, lines: lines.with(divided, { ...line, discount: line.discount + residual }) };
}

function fewer(line: ShopifyLine, quantity: bigint): ShopifyLine {
  if (quantity === line.quantity) return line;
  const part = (amount: bigint): bigint => share(amount, quantity, line.quantity);
  return { ...line, quantity, discount: part(line.discount), tax: part(line.tax) };
}

/** The tax of what was sold: what is left of it and what refunds gave back; else without the share of the removed units. */
function taxAfter(
  { lines, refunds, tax }: ShopifySale,
  removed: readonly bigint[],
  order: Fields,
  money: ShopMoney,
): bigint {
  const current = money.given(order, 'current_total_tax');
  if (!isOpen(current)) return plain(current, 'current_total_tax') + total(refunds.map((refund) => refund.tax));
  return tax - total(lines.map((line, i) => share(line.tax, removed[i] ?? 0n, line.quantity)));
}

/** As many units as their value allows, line by line. */
function someUnits(
  { lines, tax, taxesIncluded }: ShopifySale,
  removed: readonly bigint[],
  left: bigint,
): [bigint[], bigint, bigint] {
  let rest = left;
  let taxLeft = tax;
  const some = lines.map((line, i) => {
    const most = removed[i] ?? 0n;
    const unitTax = (line.tax * ONE) / line.quantity;
    const unit = (netOf(line) * ONE) / line.quantity + (taxesIncluded ? 0n : unitTax);
    const units = unit > 0n ? rest / unit : 0n;
    const gone = units * ONE < most ? units * ONE : most;
    rest -= (unit * gone) / ONE;
    taxLeft -= (unitTax * gone) / ONE;
    return gone;
  });
  return [some, left, taxLeft];
}
