import { fieldsOf, type Fields } from '../../domain/fields.js';
import { isOpen, readMicros } from '../amounts.js';
import { currencyCode } from '../values.js';
import { metaOf, objectIn } from './meta.js';
import type { Currency } from './money.js';

/** Where plugins keep the fee of the payment, in the currency that the second one names, else in that of the order. */
const FEES: readonly [key: string, currency?: string][] = [
  ['_stripe_fee', '_stripe_currency'],
  ['Stripe Fee', '_stripe_currency'],
  ['_wcpay_transaction_fee'],
  ['PayPal Transaction Fee'],
  ['_paypal_transaction_fee'],
];
const PAYPAL_FEES = '_ppcp_paypal_fees';
/** Keys of `meta_data` that are read here. */
export const FEE_KEYS = [...FEES.flat(), PAYPAL_FEES];

/** The fee of the payment in the currency of the item; 0 where no plugin tells it in a currency with a rate. */
export function gatewayFee(order: Fields, { money, moneyOf }: Currency): bigint {
  const positive = (value: unknown): bigint | undefined => {
    const micros = readMicros(value, 'rounded');
    return micros !== null && micros > 0n ? micros : undefined;
  };
  for (const [key, currencyKey] of FEES) {
    const fee = metaOf(order, key, positive);
    if (isOpen(fee)) continue;
    const currency = currencyKey === undefined ? undefined : currencyCode(metaOf(order, currencyKey));
    const amount = currency === undefined ? money(fee, key) : moneyOf(currency, fee, key);
    if (amount !== undefined) return amount;
  }
  const breakdown = objectIn(metaOf(order, PAYPAL_FEES));
  for (const name of ['paypal_fee', 'paypal_fee_in_receivable_currency']) {
    const { currency_code, value } = fieldsOf(breakdown[name]);
    const currency = currencyCode(currency_code);
    const amount = currency === undefined || positive(value) === undefined ? undefined : moneyOf(currency, value, name);
    if (amount !== undefined) return amount;
  }
  return 0n;
}
