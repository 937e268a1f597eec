import Type, { type Static } from 'typebox';
import { ORDER_COST_WARNING_CODES } from '../domain/costs/order-cost-warnings.js';
import { batchOf, batchResultOf } from './batch.js';
import { ItemErrors } from './errors.js';
import {
  BatchReceipt,
  closed,
  field,
  Id,
  Money,
  NullableMoney,
  NullableText,
  optional,
  Timestamp,
} from './primitives.js';

const ORDER_COSTS_PER_BATCH = 1_000;
const ORDER_COSTS_BODY_BYTES = 4 * 1024 * 1024;

/** One item of `PUT /v1/costs/orders`. */
export const OrderCostInput = Type.Object(
  {
    order_id: field(
      Id,
      'Id of the order, which may come later, or its `order_name` where exactly one order of the shop has it.',
    ),
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

const Warnings = Type.Array(
  Type.Object(
    {
      code: Type.Enum([...ORDER_COST_WARNING_CODES], {
        description:
          '`order_unknown`: no order has this id or, alone, this name; the cost is kept and joins when the order comes. ' +
          '`duplicate_order_id`: the push has the order more than once; of each cost the last one counts.',
      }),
      message: Type.String({ description: 'What it is about, in words; of a repeated order its positions.' }),
      field: Type.String({ description: 'The field that it is about.' }),
    },
    closed,
  ),
  { description: 'Of an accepted item that may not be meant so. Absent: there are none.' },
);

const OrderCostResult = Type.Object(
  {
    order_id: NullableText,
    outcome: Type.Enum(['accepted', 'rejected'], { description: 'What became of the item.' }),
    errors: Type.Optional(ItemErrors),
    warnings: Type.Optional(Warnings),
  },
  { ...closed, title: 'OrderCostResult' },
);

/** Response of `PUT /v1/costs/orders`; the results are in the order of the request. */
export const OrderCostBatchResult = batchResultOf(['Items', 'an item'], OrderCostResult, {
  receipt: BatchReceipt,
  orders_unknown: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Different orders of the accepted items that are not known here: their costs join when they come. Absent: the warehouse was away, so that it could not be looked up.',
    }),
  ),
});
export type OrderCostBatchResult = Static<typeof OrderCostBatchResult>;

export const ORDER_COSTS_PAGE = { default: 250, max: 1_000 };

/** Costs of one order as they are stored. */
export const OrderCost = Type.Object(
  {
    order_id: field(Id, 'As it was sent: the id, or a name that is not yet that of exactly one order.'),
    fulfillment_cost: optional(Money, 'What packing and shipping cost. Absent: not sent.'),
    gateway_fee: optional(Money, 'The actual fee of the payment gateway. Absent: not sent.'),
    received_at: field(Timestamp, 'When the newest push of them arrived.'),
  },
  { ...closed, title: 'OrderCost' },
);
export type OrderCost = Static<typeof OrderCost>;

/** Response of `GET /v1/costs/orders`. */
export const OrderCostPage = Type.Object(
  {
    costs: Type.Array(OrderCost, { description: 'Ordered by `order_id`.' }),
    next: Type.Optional(
      Type.String({ description: 'Pass it as `after` to get the next page. Absent: this is the last.' }),
    ),
  },
  closed,
);
export type OrderCostPage = Static<typeof OrderCostPage>;
