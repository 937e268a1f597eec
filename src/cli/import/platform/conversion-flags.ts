import type { ConversionOptions, OrderStatus } from '../../../convert/options.js';
import { isCurrency } from '../../../domain/currency.js';
import { isFields } from '../../../domain/fields.js';
import { isDecimal } from '../../../domain/micros.js';
import { parseJson } from '../../parse-json.js';

/** What only the shop knows, as flags of the command line. */
export interface ConversionFlags {
  count?: string;
  refundsOn?: string;
  restock?: boolean;
  statuses?: string;
  giftCardSkus?: string;
  subOrders?: boolean;
  creditCoupons?: string;
  rate?: string;
}

const STATUSES: readonly OrderStatus[] = ['paid', 'pending', 'voided'];

/** @throws RangeError that names the flag and says what it takes */
export function conversionOptions(flags: ConversionFlags): ConversionOptions {
  const { count, refundsOn, restock, statuses, giftCardSkus, subOrders, creditCoupons, rate } = flags;
  return {
    ...(count !== undefined && { count: oneOf('--count', count, ['paid', 'placed']) }),
    ...(refundsOn !== undefined && { refundsOn: oneOf('--refunds-on', refundsOn, ['refund_day', 'order_day']) }),
    ...(restock !== undefined && { restock }),
    ...(statuses !== undefined && { statuses: statusMap(statuses) }),
    ...(giftCardSkus !== undefined && { giftCardSkus: textList('--gift-card-skus', giftCardSkus, 'GC-50') }),
    ...(subOrders !== undefined && { subOrders }),
    ...(creditCoupons !== undefined && {
      creditCoupons: textList('--credit-coupons', creditCoupons, 'smart_coupon'),
    }),
    ...(rate !== undefined && { rate: rateOf(rate) }),
  };
}

function oneOf<T extends string>(flag: string, given: string, values: readonly T[]): T {
  const found = values.find((value) => value === given);
  if (found === undefined) throw new RangeError(`${flag} takes ${values.join(' or ')}`);
  return found;
}

function statusMap(text: string): Record<string, OrderStatus> {
  const value = parseJson(text);
  const entries = isFields(value) ? Object.entries(value) : [];
  const meanings = entries.map(([name, meaning]): [string, OrderStatus | undefined] => [
    name,
    STATUSES.find((status) => status === meaning),
  ]);
  if (entries.length === 0 || meanings.some(([, meaning]) => meaning === undefined)) {
    throw new RangeError('--statuses takes JSON such as {"shipped":"paid"}, with paid, pending or voided as values');
  }
  return Object.fromEntries(meanings.flatMap(([name, meaning]) => (meaning === undefined ? [] : [[name, meaning]])));
}

function textList(flag: string, text: string, example: string): string[] {
  const value = parseJson(text);
  const texts = Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  if (!Array.isArray(value) || texts.length !== value.length) {
    throw new RangeError(`${flag} takes a JSON list such as ["${example}"]`);
  }
  return texts;
}

function rateOf(text: string): { currency: string; value: string } {
  const value = parseJson(text);
  const { currency, value: worth } = isFields(value) ? value : {};
  if (typeof currency !== 'string' || !isCurrency(currency) || !isDecimal(worth)) {
    throw new RangeError('--rate takes JSON such as {"currency":"USD","value":"0.92"}');
  }
  return { currency, value: worth };
}
