import type { Fields } from '../../domain/fields.js';
import { absolute, formatMoney, isOpen, money as plain, total } from '../amounts.js';
import { hold, incomplete } from '../holds.js';
import type { Notes } from '../notes.js';
import type { ShopMoney } from './money.js';
import { removedUnits, removeUnits } from './removed-units.js';
import type { ShopifyRefund } from './refunds.js';
import type { ShopifySale } from './shopify-sale.js';

/** How much more a refund may be worth than its money, in the order in which these are tried. */
const ROOMS: ((refund: ShopifyRefund) => bigint)[] = [
  // What the platform says is due: without a kept fee.
  ({ due, total: paid }) => due - paid,
  // Goods that came back without money.
  ({ value, total: paid }) => (paid === 0n ? value : 0n),
  // All that its lines are worth.
  ({ value, total: paid }) => value - paid,
];

/**
 * What the platform took off an order and no money shows: total − refunds − current total, plus what is owed to the buyer. It is
 * the value of goods that came back in an exchange, or of units that an edit removed before they were paid. Then the order
 * balances: total − refunds = current total + what is open. Else it is held back with the difference.
 */
export function applyEdits(sale: ShopifySale, order: Fields, money: ShopMoney, notes: Notes): ShopifySale {
  // Of an order that counts nowhere nothing has to balance.
  if (sale.status === 'voided') return sale;
  const given = money.given(order, 'current_total_price');
  if (isOpen(given)) return requireNoDifference(sale);
  const current = plain(given, 'current_total_price');
  const open = plain(money.given(order, 'total_outstanding'), 'total_outstanding');
  const left = current - (open < 0n ? open : 0n);
  const rated = exactByBalance(sale, left);
  const taken = differenceOf(rated, left);
  const pending = total(rated.refunds.map((refund) => refund.pending));
  if (taken === 0n || (taken > 0n && taken <= pending)) return rated;
  for (const room of taken > 0n ? ROOMS : []) {
    const edited = explained(rated, { taken, room }, order, money, notes);
    if (edited !== undefined) return edited;
  }
  throw hold(
    'unbalanced',
    'current_total_price',
    `${formatMoney(rated.total)} less refunds is ${formatMoney(left + taken)}, and the platform says ${formatMoney(left)}: ` +
      `${formatMoney(taken)} is not explained.`,
    { computed: formatMoney(left + taken), supplied: formatMoney(left) },
  );
}

/** Total − refunds − what the platform says is left. */
function differenceOf({ total: price, refunds }: ShopifySale, left: bigint): bigint {
  return price - total(refunds.map((refund) => refund.total)) - left;
}

/** The sale with the whole difference given to refunds and removed units; undefined where they don't explain it. */
function explained(
  sale: ShopifySale,
  { taken, room }: { taken: bigint; room: (refund: ShopifyRefund) => bigint },
  order: Fields,
  money: ShopMoney,
  notes: Notes,
): ShopifySale | undefined {
  let left = taken;
  const refunds = sale.refunds.map((refund) => {
    const most = refund.pending > 0n || refund.lines.length === 0 ? 0n : room(refund);
    const amount = most < left ? most : left;
    if (amount <= 0n) return refund;
    left -= amount;
    return { ...refund, total: refund.total + amount };
  });
  const reversed = { ...sale, refunds };
  const edited = left === 0n ? reversed : removeUnits(reversed, left, order, money);
  if (edited === undefined) return undefined;
  if (left < taken) notes.add('reversed_without_money');
  if (left > 0n) notes.add('edited_before_payment');
  return edited;
}

/** What the platform says is left goes before a rate, which is that of another day. */
function exactByBalance(sale: ShopifySale, left: bigint): ShopifySale {
  const difference = differenceOf(sale, left);
  const rated = sale.refunds.find(({ estimated }) => estimated > 0n && absolute(difference) * 4n <= estimated);
  if (rated === undefined) return sale;
  const refunds = sale.refunds.map((one) => (one === rated ? { ...one, total: one.total + difference } : one));
  return { ...sale, refunds };
}

/** Without a current total nothing may hint at a difference that would be dropped. */
function requireNoDifference(sale: ShopifySale): ShopifySale {
  const isWorthMore = sale.refunds.some(
    ({ lines, pending, due, total: paid }) => lines.length > 0 && pending === 0n && due > paid,
  );
  if (!isWorthMore && removedUnits(sale).every((units) => units === 0n)) return sale;
  throw incomplete(['current_total_price']);
}
