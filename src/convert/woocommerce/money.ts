import { isOpen, money as plain, ONE, readMicros } from '../amounts.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import type { ConversionOptions } from '../options.js';
import { currencyCode } from '../values.js';

/** Reads an amount of the order in the currency of the item; one that is left open is 0. */
export type Money = (value: unknown, field: string) => bigint;

/** The currency of the item, and how amounts are read: those of an order in another currency by the shop's rate. */
export function currencyOf(
  given: unknown,
  options: ConversionOptions,
  notes: Notes,
): { currency: string; money: Money } {
  const currency = currencyCode(given);
  if (currency === undefined) {
    throw hold('incomplete_source', 'currency', 'currency is missing or is not the code of a currency.');
  }
  const { rate } = options;
  const target = options.currency ?? rate?.currency ?? currency;
  if (target === currency) return { currency, money: (value, field) => plain(value, field, 'rounded') };
  const worth = isOpen(rate?.value) ? null : readMicros(rate?.value);
  // The rate names the other currency, or that of the shop: one of a third currency says nothing of this order.
  const isMeant = rate?.currency === currency || rate?.currency === target;
  if (worth === null || worth <= 0n || !isMeant) {
    const message = `The order is in ${currency} and the shop in ${target}; give the rate with the option "rate".`;
    throw hold('other_currency', 'currency', message);
  }
  notes.add('converted_by_rate');
  return { currency: target, money: (value, field) => converted(plain(value, field, 'rounded'), worth) };
}

/** Rounded half away from zero to six decimals. */
function converted(micros: bigint, worth: bigint): bigint {
  const product = micros * worth;
  return (product + (product < 0n ? -ONE : ONE) / 2n) / ONE;
}
