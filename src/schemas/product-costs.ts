import Type, { type Static } from 'typebox';
import type { ErrorDetail } from '../errors.js';
import { ErrorItem } from './errors.js';
import { closed, Currency, described, Id, Money, NullableDay, NullableText } from './primitives.js';
import { validator } from './validator.js';

export const PRODUCT_COSTS_PER_BATCH = 1_000;
export const PRODUCT_COSTS_BODY_BYTES = 4 * 1024 * 1024;
export const PRODUCT_COSTS_PAGE = { default: 100, max: 1_000 } as const;

const EffectiveFrom = described<string | null>(
  NullableDay,
  'First day of this version, YYYY-MM-DD in the timezone of the shop; null or absent: from the beginning.',
);

/** One item of `PUT /v1/products/costs`. */
export const ProductCostInput = Type.Object(
  {
    sku: Id,
    unit_cost: Type.Optional(described<string>(Money, 'Cost of one unit. Required unless `deleted` is true.')),
    effective_from: Type.Optional(EffectiveFrom),
    currency: Type.Optional(described<string>(Currency, 'Must be the currency of the source when it is given.')),
    deleted: Type.Optional(Type.Boolean({ description: 'True removes the version of this sku and effective_from.' })),
  },
  { ...closed, title: 'ProductCostInput' },
);
export type ProductCostInput = Static<typeof ProductCostInput>;

/** Body of `PUT /v1/products/costs`; its items are checked one by one so that each gets its own result. */
export const ProductCostBatch = Type.Object(
  {
    costs: Type.Array(Type.Unknown(), {
      minItems: 1,
      maxItems: PRODUCT_COSTS_PER_BATCH,
      'x-size-code': 'batch_size',
    }),
  },
  closed,
);

export const productCostBatchValidator = validator(ProductCostBatch, 'The body');
export const productCostValidator = validator(ProductCostInput, 'The item');

/** One result of a batch. `errors` stands on rejected items only. */
export interface ProductCostResult {
  sku: string | null;
  effective_from: string | null;
  outcome: 'accepted' | 'rejected';
  errors?: ErrorDetail[];
}

export const ProductCostResultSchema = Type.Object(
  {
    sku: NullableText,
    effective_from: described<string | null>(NullableText, 'As supplied; null: from the beginning.'),
    outcome: Type.Enum(['accepted', 'rejected']),
    errors: Type.Optional(Type.Array(ErrorItem)),
  },
  { ...closed, title: 'ProductCostResult' },
);

/** Response of `PUT /v1/products/costs`; the results stand in the order of the request. */
export interface ProductCostBatchResult {
  accepted: number;
  rejected: number;
  results: ProductCostResult[];
}

export const ProductCostBatchResultSchema = Type.Object(
  { accepted: Type.Integer(), rejected: Type.Integer(), results: Type.Array(ProductCostResultSchema) },
  closed,
);

/** One version of the catalog as it stands. */
export const ProductCost = Type.Object(
  { sku: Id, unit_cost: Money, effective_from: EffectiveFrom, currency: Currency },
  { ...closed, title: 'ProductCost' },
);
export type ProductCost = Static<typeof ProductCost>;

/** Response of `GET /v1/products/costs`, ordered by sku and day. `next` is absent on the last page. */
export const ProductCostPage = Type.Object(
  {
    costs: Type.Array(ProductCost),
    next: Type.Optional(Type.String({ description: 'Pass it as `after` to get the next page.' })),
  },
  closed,
);
export type ProductCostPage = Static<typeof ProductCostPage>;
