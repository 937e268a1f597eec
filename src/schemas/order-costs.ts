import Type, { type Static } from 'typebox';
import { batchOf, batchResultOf } from './batch.js';
import { ItemErrors } from './errors.js';
import { BatchReceipt, closed, field, Id, NullableMoney, NullableText, optional } from './primitives.js';

const ORDER_COSTS_PER_BATCH = 1_000;
const ORDER_COSTS_BODY_BYTES = 4 * 1024 * 1024;

/** One item of `PUT /v1/costs/orders`. */
export const OrderCostInput = Type.Object(
  {
    order_id: field(Id, 'The order, which may come later.'),
    fulfillment_cost: optional(
      NullableMoney,
      'What the shop pays to pack and ship the order; null takes the value back. Absent: it stays as it is.',
    ),
    gateway_fee: optional(
      NullableMoney,
      'The actual fee of the payment gateway; null takes the value back. Absent: it stays as it is.',
    ),
  },
  { ...closed, title: 'OrderCostInput' },
);
export type OrderCostInput = Static<typeof OrderCostInput>;

/** At least one cost: a rule across two fields, which the validator checks apart. */
const SHOWN = { ...OrderCostInput, anyOf: [{ required: ['fulfillment_cost'] }, { required: ['gateway_fee'] }] };

/** Body of `PUT /v1/costs/orders`. */
export const OrderCostBatch = batchOf('costs', OrderCostInput, {
  most: ORDER_COSTS_PER_BATCH,
  maxBytes: ORDER_COSTS_BODY_BYTES,
  others: {},
  names: ['costs of orders', 'item'],
  shown: SHOWN,
});
export const { item: orderCostValidator } = OrderCostBatch;

const OrderCostResult = Type.Object(
  {
    order_id: NullableText,
    outcome: Type.Enum(['accepted', 'rejected'], { description: 'What became of the item.' }),
    errors: Type.Optional(ItemErrors),
  },
  { ...closed, title: 'OrderCostResult' },
);

/** Response of `PUT /v1/costs/orders`; the results are in the order of the request. */
export const OrderCostBatchResult = batchResultOf(['Items', 'an item'], OrderCostResult, { receipt: BatchReceipt });
export type OrderCostBatchResult = Static<typeof OrderCostBatchResult>;
