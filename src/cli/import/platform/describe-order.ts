import { readMicros } from '../../../convert/amounts.js';
import { idOf, label } from '../../../convert/values.js';
import { fieldsOf } from '../../../domain/fields.js';

/** An order whatever is wrong with it: its id, its number, and what the platform says it came to, as it is written. */
export interface OrderDescription {
  id: string | undefined;
  /** `#1001` at Shopify, the number at WooCommerce; undefined where it is not given. */
  number: string | undefined;
  amount: string | undefined;
}

export function describeOrder(value: unknown): OrderDescription {
  const order = fieldsOf(value);
  const { shopMoney } = fieldsOf(order.totalPriceSet);
  const amount = order.total_price ?? fieldsOf(shopMoney).amount ?? order.total;
  const isAmount = readMicros(amount, 'rounded') !== null;
  const number = label(order.name) ?? idOf(order.number);
  return {
    id: idOf(order.id) ?? number,
    number,
    amount: isAmount ? String(amount) : undefined,
  };
}
