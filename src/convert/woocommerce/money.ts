import { fieldsOf, type Fields } from '../../domain/fields.js';
import type { Fraction } from '../../domain/money.js';
import { atRate, decimalsOf, formatMoney, inverse, money as plain, placeOf, readMicros, readRate } from '../amounts.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import type { ConversionOptions } from '../options.js';
import { currencyCode, fieldsIn } from '../values.js';
import { metaOf, objectIn } from './meta.js';

/** Keys of `meta_data` under which plugins keep a rate. */
const RATES = {
  paidByWcpay: '_wcpay_multi_currency_stripe_exchange_rate',
  shownByWcpay: '_wcpay_multi_currency_order_exchange_rate',
  fox: '_woocs_order_rate',
  aelia: '_base_currency_exchange_rate',
};
export const RATE_KEYS = Object.values(RATES);

/** Reads an amount of the order in the currency of the item; one that is left open is 0. */
export type Money = (value: unknown, field: string) => bigint;

/** The currency of an item, and how its amounts are read. */
export interface Currency {
  /** That of the item. */
  currency: string;
  money: Money;
  /** An amount in any currency; undefined where there is no rate for it. */
  moneyOf: (currency: string, value: unknown, field: string) => bigint | undefined;
}

/** The currency of the item: an order in another one is converted by its own rate, else by that of the shop. */
export function currencyOf(order: Fields, options: ConversionOptions, notes: Notes): Currency {
  const currency = currencyCode(order.currency);
  if (currency === undefined) {
    throw hold('incomplete_source', 'currency', 'currency is missing or is not the code of a currency.');
  }
  const { rate } = options;
  const target = options.currency ?? rate?.currency ?? currency;
  const unchanged: Money = (value, field) => plain(value, field, 'rounded');
  const given = readRate(rate?.value);
  const moneyOf = (other: string, value: unknown, field: string): bigint | undefined => {
    if (other === target) return unchanged(value, field);
    if (other === currency) return money(value, field);
    return rate?.currency === other && given !== undefined ? atRate(unchanged(value, field), given) : undefined;
  };
  if (target === currency) return { currency, money: (value, field) => unchanged(value, field), moneyOf };
  // The rate names the other currency, or that of the shop: one of a third currency says nothing of this order.
  const isMeant = rate?.currency === currency || rate?.currency === target;
  const worth = ownRate(order, currency, target) ?? (isMeant ? given : undefined);
  if (worth === undefined) {
    const message = `The order is in ${currency} and the shop in ${target}; give the rate with the option "rate".`;
    throw hold('other_currency', 'currency', message);
  }
  notes.add('converted_by_rate');
  const money: Money = (value, field) => atRate(unchanged(value, field), worth);
  return { currency: target, money, moneyOf };
}

/** What plugins for several currencies keep of the rate of this order; undefined where they keep none to this currency. */
function ownRate(order: Fields, currency: string, target: string): Fraction | undefined {
  const rateIn = (key: string): Fraction | undefined => readRate(metaOf(order, key, readRate));
  const isTarget = (key: string): boolean => currencyCode(metaOf(order, key)) === target;
  // WooPayments: what the processor paid, else what the shop showed, which is that of the other direction.
  if (isTarget('_wcpay_multi_currency_order_default_currency')) {
    const wcpay = rateIn(RATES.paidByWcpay) ?? inverse(rateIn(RATES.shownByWcpay));
    if (wcpay !== undefined) return wcpay;
  }
  // FOX (WOOCS): units of the order's currency for one of the shop's.
  const fox = isTarget('_woocs_order_base_currency') ? inverse(rateIn(RATES.fox)) : undefined;
  if (fox !== undefined) return fox;
  // CURCY: the same, for each currency.
  const curcy = objectIn(metaOf(order, 'wmc_order_info'));
  const shown = Number(fieldsOf(curcy[target]).is_main) === 1 ? readRate(fieldsOf(curcy[currency]).rate) : undefined;
  if (shown !== undefined) return inverse(shown);
  // Aelia: units of the shop's currency for one of the order's.
  return rateIn(RATES.aelia);
}

/**
 * The last place to which an order is rounded, as an amount: that of its total and taxes. A total with more places than its
 * currency is rounded no further than its parts; a number does not show its last place, so it has that of the currency.
 */
export function lastPlace(order: Fields): string {
  const usual = decimalsOf(currencyCode(order.currency) ?? 'XXX');
  const taxes = fieldsIn(order.tax_lines).flatMap((line) => [line.tax_total, line.shipping_tax_total]);
  const own = Math.max(...[order.total, order.total_tax, ...taxes].map((one) => decimalsIn(one, usual)));
  const parts = ['line_items', 'shipping_lines', 'fee_lines'].flatMap((name) =>
    fieldsIn(order[name]).flatMap((part) => [part.total, part.total_tax].map((one) => decimalsIn(one, 0))),
  );
  return formatMoney(placeOf(own <= usual ? own : Math.max(usual, Math.min(own, Math.max(0, ...parts)))));
}

/** Decimals of an amount as it is written, zeros at their end only up to those of its currency; 0 of none. */
function decimalsIn(value: unknown, usual: number): number {
  if (typeof value === 'number') return usual;
  const text = typeof value === 'string' && readMicros(value, 'rounded') !== 0n ? value.trim() : '';
  const [, decimals = ''] = /\.(\d*)$/.exec(text) ?? [];
  return Math.max(decimals.replace(/0+$/, '').length, Math.min(decimals.length, usual));
}
