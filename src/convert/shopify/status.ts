import type { Fields } from '../../domain/fields.js';
import { isOpen, readMicros } from '../amounts.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import { chosenStatus, pendingStatus, type ConversionOptions, type OrderStatus } from '../options.js';
import type { Sale } from '../sale.js';
import { word } from '../values.js';
import type { ShopMoney } from './money.js';

const PARTLY_PAID = 'partially_paid';
const PAID = ['paid', 'partially_refunded', 'refunded'];
const UNPAID = ['pending', 'authorized'];
const VOIDED = ['voided', 'expired'];

/**
 * @param order `financial_status` and `cancelled_at`
 * @param open what is not paid yet of an order that counts with what is paid; 0 of others
 */
export function statusOf(order: Fields, open: bigint, options: ConversionOptions, notes: Notes): OrderStatus {
  const status = word(order.financial_status) ?? '';
  const chosen = chosenStatus(options, status);
  if (chosen !== undefined) return chosen;
  if (PAID.includes(status)) return 'paid';
  if (VOIDED.includes(status)) return 'voided';
  if (UNPAID.includes(status)) {
    if (isOpen(order.cancelled_at)) return pendingStatus(options);
    notes.add('cancelled_unpaid');
    return 'voided';
  }
  if (status === PARTLY_PAID) {
    if (open > 0n) return 'paid';
    const meaning = pendingStatus(options);
    if (meaning === 'pending') notes.add('partially_paid');
    return meaning;
  }
  const message = 'This financial status is not known; say what it means with the option "statuses".';
  throw hold('unknown_status', 'financial_status', message);
}

/**
 * What is open of an order that was paid and then edited upwards. A deposit (`payment_terms`) waits until it is paid; so does an
 * order of which nothing is paid, or whose current total is not given, as then what was paid is not known. 0 where the shop
 * counts the whole order.
 */
export function openPart(order: Fields, money: ShopMoney, options: ConversionOptions): bigint {
  const status = word(order.financial_status) ?? '';
  const current = readMicros(money.given(order, 'current_total_price'));
  const open = readMicros(money.given(order, 'total_outstanding')) ?? 0n;
  if (![PARTLY_PAID, ...PAID].includes(status) || current === null || open >= current) return 0n;
  return countsWhole(status, options) || !isOpen(order.payment_terms) || open < 0n ? 0n : open;
}

/** Whether the shop said that an order of this status counts, paid or not. */
export function countsWhole(status: string, options: ConversionOptions): boolean {
  return options.count === 'placed' || chosenStatus(options, status) !== undefined;
}

/** An order counts with what is paid; what is open is a discount until it is. */
export function partlyPaid<S extends Sale>(sale: S, open: bigint, notes: Notes): S {
  if (open === 0n || sale.status !== 'paid') return sale;
  notes.add('partly_paid');
  return { ...sale, total: sale.total - open, discounts: sale.discounts + open };
}
