import type { Fields } from '../../domain/fields.js';
import { hold, incomplete } from '../holds.js';
import type { Notes } from '../notes.js';
import { chosenStatus, pendingStatus, type ConversionOptions, type OrderStatus } from '../options.js';
import { idOf, isSet, word } from '../values.js';
import { metaOf } from './meta.js';

const PAID = ['processing', 'completed', 'refunded'];
const PENDING = ['pending', 'on-hold'];
const DRAFTS = ['draft', 'auto-draft', 'checkout-draft'];

/** Meta keys by which marketplace plugins mark an order whose goods are in sub-orders too: Dokan, MultiVendorX and its former name. */
const PARENT_MARKS = ['has_sub_order', 'has_mvx_sub_order', 'has_wcmp_sub_order'];

/** Holds a subscription, and of a marketplace's parent order and its sub-orders those that don't count. */
export function requireSale(order: Fields, { subOrders }: ConversionOptions): void {
  if (isSet(order.billing_period) || word(order.type) === 'shop_subscription') {
    throw hold('subscription', 'billing_period', 'This is a subscription; its renewals are orders of their own.');
  }
  const parent = idOf(order.parent_id);
  if (parent !== undefined && subOrders !== true) {
    const message = `The order is a part of order ${parent}, which has the same goods; the option "sub_orders" counts the parts instead.`;
    throw hold('sub_order', 'parent_id', message);
  }
  if (parent === undefined && subOrders === true && PARENT_MARKS.some((mark) => isMarked(metaOf(order, mark)))) {
    throw hold('sub_order', 'meta_data', 'The goods of the order are in its sub-orders, which count in its place.');
  }
}

function isMarked(value: unknown): boolean {
  return isSet(value) && !['0', 'no', 'false'].includes(word(value) ?? '1');
}

export function statusOf(order: Fields, options: ConversionOptions, notes: Notes): OrderStatus {
  const status = (word(order.status) ?? '').replace(/^wc-/, '');
  if (DRAFTS.includes(status)) throw hold('draft', 'status', 'The order is a draft: it was never placed.');
  const chosen = chosenStatus(options, status) ?? chosenStatus(options, `wc-${status}`);
  if (chosen !== undefined) return chosen;
  const isPaid = isSet(order.date_paid_gmt) || isSet(order.date_paid);
  if (status === 'refunded' && !isPaid) {
    // A failed or pending order that was set to refunded by hand: no money moved.
    if (order.date_paid_gmt === undefined && order.date_paid === undefined) throw incomplete(['date_paid_gmt']);
    notes.add('refunded_unpaid');
    return 'voided';
  }
  if (PAID.includes(status)) return 'paid';
  if (PENDING.includes(status)) return pendingStatus(options);
  if (status === 'failed') return 'voided';
  if (status === 'cancelled') {
    notes.add(isPaid ? 'cancelled_paid' : 'cancelled_unpaid');
    return isPaid ? 'paid' : 'voided';
  }
  if (isPaid && status !== '' && status !== 'trash') {
    notes.add('own_status_paid');
    return 'paid';
  }
  const message = 'This status is not one of WooCommerce; say what it means with the option "statuses".';
  throw hold('unknown_status', 'status', message);
}
