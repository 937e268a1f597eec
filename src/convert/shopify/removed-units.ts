import type { Fields } from '../../domain/fields.js';
import { decimalsOf, isOpen, money as plain, ONE, placeOf, share, total } from '../amounts.js';
import { hold } from '../holds.js';
import { computedTotal } from '../totals.js';
import type { ShopifySale } from './shopify-sale.js';
import { netOf, type ShopifyLine } from './lines.js';
import type { ShopMoney } from './money.js';

/** By line: units that are no longer of the order and that no refund names. */
export function removedUnits({ lines, refunds }: ShopifySale): bigint[] {
  const refunded = new Map<string, bigint>();
  for (const line of refunds.flatMap((refund) => refund.lines)) {
    refunded.set(line.id, (refunded.get(line.id) ?? 0n) + line.quantity);
  }
  return lines.map(({ id, quantity, current }) => {
    const gone = current === undefined ? 0n : quantity - current - (refunded.get(id) ?? 0n);
    return gone > 0n ? gone : 0n;
  });
}

/**
 * The sale without units that an edit removed before they were paid, which are worth `left`; undefined where none are.
 *
 * @throws HoldError `all_lines_removed`
 */
export function removeUnits(sale: ShopifySale, left: bigint, order: Fields, money: ShopMoney): ShopifySale | undefined {
  const removed = removedUnits(sale);
  if (removed.every((units) => units === 0n)) return undefined;
  const whole = withoutUnits(sale, removed, left, taxAfter(sale, removed, order, money));
  // Some of them may have been paid, and be owed to the buyer: then as many go as were not.
  const edited = whole ?? withoutUnits(sale, ...someUnits(sale, removed, left));
  if (edited?.lines.length === 0) {
    throw hold('all_lines_removed', 'line_items', 'An edit removed all lines before they were paid.');
  }
  return edited;
}

/** The sale without some units, if its parts then give its total. */
function withoutUnits(
  sale: ShopifySale,
  removed: readonly bigint[],
  left: bigint,
  tax: bigint,
): ShopifySale | undefined {
  const decimals = decimalsOf(sale.currency);
  const lines = sale.lines
    .map((line, i) => fewer(line, line.quantity - (removed[i] ?? 0n), decimals))
    .filter((line) => line.quantity > 0n);
  const rest = { ...sale, lines, tax, total: sale.total - left };
  const residual = (computedTotal(rest) - rest.total * ONE) / ONE;
  if (residual === 0n) return rest;
  // The platform divides a discount to the last place of the currency: what its parts miss is of the first line that was divided.
  const divided = lines.findIndex((line, i) => line.discount > 0n && (sale.lines[i]?.quantity ?? 0n) > line.quantity);
  const line = lines[divided];
  const most = placeOf(decimals) * BigInt(lines.length);
  if (line === undefined || residual > most || residual < -most || line.discount + residual < 0n) return undefined;
  return { ...rest, lines: lines.with(divided, { ...line, discount: line.discount + residual }) };
}

function fewer(line: ShopifyLine, quantity: bigint, decimals: number): ShopifyLine {
  if (quantity === line.quantity) return line;
  const part = (amount: bigint): bigint => share(amount, quantity, line.quantity, decimals);
  return { ...line, quantity, discount: part(line.discount), tax: part(line.tax) };
}

/** The tax of what was sold: what is left of it and what refunds gave back; else without the share of the removed units. */
function taxAfter(
  { lines, refunds, tax, currency }: ShopifySale,
  removed: readonly bigint[],
  order: Fields,
  money: ShopMoney,
): bigint {
  const current = money.given(order, 'current_total_tax');
  if (!isOpen(current)) return plain(current, 'current_total_tax') + total(refunds.map((refund) => refund.tax));
  const decimals = decimalsOf(currency);
  return tax - total(lines.map((line, i) => share(line.tax, removed[i] ?? 0n, line.quantity, decimals)));
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
