import Type, { type Static } from 'typebox';
import { batchOf, batchResultOf } from './batch.js';
import { ItemErrors } from './errors.js';
import {
  BatchReceipt,
  closed,
  ComputedMoney,
  Currency,
  field,
  flag,
  Sku,
  Money,
  NullableDay,
  NullableText,
  optional,
  Timestamp,
} from './primitives.js';

const PRODUCT_COSTS_PER_BATCH = 1_000;
const PRODUCT_COSTS_BODY_BYTES = 4 * 1024 * 1024;
export const PRODUCT_COSTS_PAGE = { default: 100, max: 1_000 } as const;

const SKU = field(Sku, 'The SKU, as order lines name it; blanks at its ends make no difference.');
const EFFECTIVE_FROM =
  'First local day of this version; null: from the beginning, before every day and a key of its own.';

/** One item of `PUT /v1/products/costs`. */
export const ProductCostInput = Type.Object(
  {
    sku: SKU,
    unit_cost: optional(Money, 'Cost of one unit. It may be absent only where `deleted` is true.'),
    effective_from: optional(NullableDay, EFFECTIVE_FROM, { default: null }),
    currency: optional(Currency, 'Must be the currency of the source. Absent: that.'),
    deleted: flag('True removes the version of this `sku` and `effective_from`.'),
  },
  { ...closed, title: 'ProductCostInput' },
);
export type ProductCostInput = Static<typeof ProductCostInput>;

/** A version has a cost unless it is removed: a rule across two fields, which the validator checks apart. */
const SHOWN = {
  ...ProductCostInput,
  anyOf: [
    { required: ['unit_cost'] },
    { properties: { deleted: { const: true, description: 'It is removed.' } }, required: ['deleted'] },
  ],
};

/** Body of `PUT /v1/products/costs`. */
export const ProductCostBatch = batchOf('costs', ProductCostInput, {
  most: PRODUCT_COSTS_PER_BATCH,
  maxBytes: PRODUCT_COSTS_BODY_BYTES,
  others: {},
  names: ['versions', 'item'],
  shown: SHOWN,
});
export const { item: productCostValidator } = ProductCostBatch;

/** One result of a batch. */
const ProductCostResult = Type.Object(
  {
    sku: NullableText,
    effective_from: field(NullableText, 'As supplied; null: from the beginning.'),
    outcome: Type.Enum(['accepted', 'rejected'], { description: 'What became of the item.' }),
    errors: Type.Optional(ItemErrors),
  },
  { ...closed, title: 'ProductCostResult' },
);

/** What a push of unit costs would change. */
const ProductCostPreview = Type.Object(
  {
    days: Type.Integer({ minimum: 0, description: 'Days whose net profit would change.' }),
    net_profit_change: field(ComputedMoney, 'What the push would add to the net profit of all days.'),
    costs: Type.Array(
      Type.Object(
        {
          sku: SKU,
          net_profit_change: field(ComputedMoney, 'The part of it that the versions of this SKU bring.'),
        },
        closed,
      ),
      { description: 'Each SKU of the accepted items once.' },
    ),
  },
  closed,
);
export type ProductCostPreview = Static<typeof ProductCostPreview>;

/** Response of `PUT /v1/products/costs`; the results stand in the order of the request. */
export const ProductCostBatchResult = batchResultOf(['Items', 'an item'], ProductCostResult, {
  receipt: BatchReceipt,
  preview: optional(ProductCostPreview, 'With `validate_only`: what the push would change. Else absent.'),
});
export type ProductCostBatchResult = Static<typeof ProductCostBatchResult>;

/** One version of the catalog as it is stored. */
export const ProductCost = Type.Object(
  {
    sku: SKU,
    unit_cost: field(Money, 'Cost of one unit.'),
    effective_from: field(NullableDay, EFFECTIVE_FROM),
    currency: field(Currency, 'Currency of the cost.'),
    received_at: field(Timestamp, 'When the push that wrote this version arrived.'),
  },
  { ...closed, title: 'ProductCost' },
);

export type ProductCost = Static<typeof ProductCost>;

/** Response of `GET /v1/products/costs`, ordered by sku and day. `next` is absent on the last page. */
export const ProductCostPage = Type.Object(
  {
    costs: Type.Array(ProductCost, { description: 'Ordered by `sku` and `effective_from`.' }),
    next: Type.Optional(
      Type.String({ description: 'Pass it as `after` to get the next page. Absent: this is the last.' }),
    ),
  },
  closed,
);
export type ProductCostPage = Static<typeof ProductCostPage>;
