import type { Fields } from '../../domain/fields.js';
import { readMicros } from '../amounts.js';
import { fieldsIn, label } from '../values.js';
import type { Money } from './money.js';

/** Where plugins keep the fee of the payment. */
const FEES = [
  '_stripe_fee',
  'Stripe Fee',
  '_wcpay_transaction_fee',
  'PayPal Transaction Fee',
  '_paypal_transaction_fee',
];

export function metaOf(holder: Fields, key: string): unknown {
  return fieldsIn(holder.meta_data).find((one) => one.key === key)?.value;
}

/** The fee of the payment in the currency of the order; 0 where no plugin tells it. */
export function gatewayFee(order: Fields, money: Money): bigint {
  const currency = label(metaOf(order, '_stripe_currency'));
  if (currency !== undefined && currency.toUpperCase() !== label(order.currency)?.toUpperCase()) return 0n;
  for (const key of FEES) {
    const fee = metaOf(order, key);
    if (readMicros(fee, 'rounded') !== null && money(fee, key) > 0n) return money(fee, key);
  }
  return 0n;
}
