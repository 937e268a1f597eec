import type { Fields } from '../../domain/fields.js';
import { absolute, total } from '../amounts.js';
import type { Notes } from '../notes.js';
import { isCreditCoupon, type ConversionOptions } from '../options.js';
import type { Sale } from '../sale.js';
import { residualOf } from '../totals.js';
import { fieldsIn, label } from '../values.js';
import { metaOf, objectIn } from './meta.js';
import type { Money } from './money.js';

/**
 * Store credit and gift cards that a plugin books as coupons are a payment: the total stays whole. Some take it off the lines
 * and their tax, as a coupon is, and some off the total alone.
 */
export function creditOf(sale: Sale, order: Fields, money: Money, options: ConversionOptions, notes: Notes): Sale {
  const used = fieldsIn(order.coupon_lines).filter((coupon) => isCreditCoupon(options, typeOf(coupon)));
  const sum = (name: 'discount' | 'discount_tax'): bigint =>
    total(used.map((coupon) => money(coupon[name], `coupon_lines.${name}`)));
  const [credit, tax] = [sum('discount'), sum('discount_tax')];
  if (credit <= 0n) return sale;
  notes.add('gift_card_used');
  let left = credit;
  const lines = sale.lines.map((line) => {
    const back = line.discount < left ? line.discount : left;
    left -= back;
    return { ...line, discount: line.discount - back };
  });
  const ofTotal = { ...sale, total: sale.total + credit + tax };
  const ofLines = { ...ofTotal, lines, tax: sale.tax + tax };
  return absolute(residualOf(ofTotal)) < absolute(residualOf(ofLines)) ? ofTotal : ofLines;
}

/** Codes that were entered. Those of store credit are none: a reader could pay with them. */
export function codesOf(order: Fields, options: ConversionOptions): unknown[] {
  const coupons = fieldsIn(order.coupon_lines).filter((coupon) => !isCreditCoupon(options, typeOf(coupon)));
  return coupons.map(({ code }) => code);
}

/** The type of a coupon: its own field, else what older versions keep of it. */
function typeOf(coupon: Fields): string | undefined {
  const kept = label(objectIn(metaOf(coupon, 'coupon_data')).discount_type);
  return label(coupon.discount_type) ?? kept ?? label(compact(metaOf(coupon, 'coupon_info')));
}

/** `[id, code, type, amount, free shipping]`, as JSON. */
function compact(value: unknown): unknown {
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return Array.isArray(list) ? list[2] : undefined;
  } catch {
    return undefined;
  }
}
