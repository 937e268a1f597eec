import type { Fields } from '../../domain/fields.js';
import { formatMoney, money as plain } from '../amounts.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import type { ShopifySale } from './shopify-sale.js';
import type { ShopMoney } from './money.js';

/** Cash is rounded when it is paid and when it is paid back, on top of the total and of the refunds. */
export function cashRounded(sale: ShopifySale, order: Fields, money: ShopMoney, notes: Notes): ShopifySale {
  const read = (name: string): bigint => plain(money.given(order, name), name);
  const paid = paymentRounded(sale, read('total_cash_rounding_payment_adjustment'), notes);
  return refundRounded(paid, read('total_cash_rounding_refund_adjustment'));
}

function paymentRounded(sale: ShopifySale, rounding: bigint, notes: Notes): ShopifySale {
  if (rounding === 0n) return sale;
  const paid = { ...sale, total: sale.total + rounding };
  if (rounding > 0n) return { ...paid, rounding };
  notes.add('negative_rounding_as_discount');
  return { ...paid, discounts: sale.discounts - rounding };
}

/** The platform tells one sum of all refunds: it goes to the last one in cash, else to the last one with money. */
function refundRounded(sale: ShopifySale, rounding: bigint): ShopifySale {
  if (rounding === 0n) return sale;
  const { refunds } = sale;
  const fitting = (at: (typeof refunds)[number]): boolean => at.total > 0n && at.total + rounding > 0n;
  const last = refunds.findLast((one) => one.isCash && fitting(one)) ?? refunds.findLast(fitting);
  if (last === undefined) {
    const field = 'total_cash_rounding_refund_adjustment';
    throw hold(
      'unbalanced',
      field,
      `Refunds in cash were rounded by ${formatMoney(rounding)}, and none has that money.`,
    );
  }
  return { ...sale, refunds: refunds.map((one) => (one === last ? { ...one, total: one.total + rounding } : one)) };
}
