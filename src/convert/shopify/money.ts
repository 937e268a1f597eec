import { fieldsOf, type Fields } from '../../domain/fields.js';
import { isOpen, positiveMoney, total } from '../amounts.js';
import { hold } from '../holds.js';
import { currencyCode, fieldsIn, label } from '../values.js';

/** Amounts of an order in the currency of the shop. */
export interface ShopMoney {
  currency: string;
  /** What a field says, or the set of both currencies next to it: undefined where neither is given. */
  given(holder: Fields, name: string): unknown;
  /** One that is not negative and 0 where it is open; `path` is where the holder is. */
  read(holder: Fields, name: string, path?: string): bigint;
  /** The discounts that are allocated to a line. */
  allocated(line: Fields, path: string): bigint;
}

export function shopMoney(order: Fields): ShopMoney {
  const currency = currencyCode(order.currency);
  if (currency === undefined) {
    throw hold('incomplete_source', 'currency', 'currency is missing or is not the code of a currency.');
  }

  function given(holder: Fields, name: string): unknown {
    const { shop_money } = fieldsOf(holder[`${name}_set`]);
    const { amount, currency_code } = fieldsOf(shop_money);
    if (isOpen(amount)) return holder[name];
    if (!isOpen(currency_code) && label(currency_code)?.toUpperCase() !== currency) {
      const message = `The amounts of the order are in ${currency} and in another currency; it needs those of the shop.`;
      throw hold('other_currency', `${name}_set`, message);
    }
    return amount;
  }
  const read = (holder: Fields, name: string, path = ''): bigint =>
    positiveMoney(given(holder, name), `${path}${name}`);

  return {
    currency,
    given,
    read,
    allocated: (line, path) =>
      total(fieldsIn(line.discount_allocations).map((one) => read(one, 'amount', `${path}discount_allocations.`))),
  };
}
