import type { Fields } from '../../domain/fields.js';
import { isOpen } from '../amounts.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import { chosenStatus, pendingStatus, type ConversionOptions, type OrderStatus } from '../options.js';
import { word } from '../values.js';

const PAID = ['paid', 'partially_refunded', 'refunded'];
const UNPAID = ['pending', 'authorized'];
const VOIDED = ['voided', 'expired'];

/** @param order `financial_status` and `cancelled_at` */
export function statusOf(order: Fields, options: ConversionOptions, notes: Notes): OrderStatus {
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
  if (status === 'partially_paid') {
    const meaning = pendingStatus(options);
    if (meaning === 'pending') notes.add('partially_paid');
    return meaning;
  }
  const message = 'This financial status is not known; say what it means with the option "statuses".';
  throw hold('unknown_status', 'financial_status', message);
}
