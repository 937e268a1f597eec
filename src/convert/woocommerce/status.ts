import type { Fields } from '../../domain/fields.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import { chosenStatus, pendingStatus, type ConversionOptions, type OrderStatus } from '../options.js';
import { isSet, word } from '../values.js';

const PAID = ['processing', 'completed', 'refunded'];
const PENDING = ['pending', 'on-hold'];
const DRAFTS = ['draft', 'auto-draft', 'checkout-draft'];

export function statusOf(order: Fields, options: ConversionOptions, notes: Notes): OrderStatus {
  const status = (word(order.status) ?? '').replace(/^wc-/, '');
  if (DRAFTS.includes(status)) throw hold('draft', 'status', 'The order is a draft: it was never placed.');
  const chosen = chosenStatus(options, status) ?? chosenStatus(options, `wc-${status}`);
  if (chosen !== undefined) return chosen;
  if (PAID.includes(status)) return 'paid';
  if (PENDING.includes(status)) return pendingStatus(options);
  if (status === 'failed') return 'voided';
  const isPaid = isSet(order.date_paid_gmt) || isSet(order.date_paid);
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
