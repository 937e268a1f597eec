import { readMicros } from '../../../convert/amounts.js';
import { idOf } from '../../../convert/values.js';
import { fieldsOf } from '../../../domain/fields.js';

/** What people know an order by, whatever is wrong with it: its id and what the platform says it came to. */
export function describeOrder(value: unknown): { id: string | undefined; amount: string | undefined } {
  const order = fieldsOf(value);
  const { shopMoney } = fieldsOf(order.totalPriceSet);
  const amount = order.total_price ?? fieldsOf(shopMoney).amount ?? order.total;
  const isAmount = readMicros(amount, 'rounded') !== null;
  return {
    id: idOf(order.id) ?? (typeof order.name === 'string' && order.name !== '' ? order.name : undefined),
    amount: isAmount ? String(amount) : undefined,
  };
}
