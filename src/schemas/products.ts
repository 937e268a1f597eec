import Type, { type Static } from 'typebox';
import {
  closed,
  ComputedMoney,
  DayNumber,
  field,
  LongText,
  Money,
  Next,
  NullableId,
  optional,
  OptionalDecimal,
  rangeFields,
} from './primitives.js';
import { validator } from './validator.js';

/** What `sort` takes. */
export const PRODUCT_SORTS = [
  'revenue',
  'units_sold',
  'units_refunded',
  'refunds',
  'cogs',
  'gross_profit',
  'units_without_cost',
  'revenue_without_cost',
  'sku',
] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number];

/** A sum of quantities, which may have more digits than one. */
export const Units = Type.String({
  title: 'Units',
  description: 'Exact decimal string of at most six decimals, without trailing zeros.',
  examples: ['3'],
});

/** What a product brought, or several of them. */
const sums = {
  units_sold: field(Units, 'Units sold, at the day of the order.'),
  units_refunded: field(Units, 'Units of lines that refunds name, at the day of the refund.'),
  revenue: field(
    ComputedMoney,
    'Lines sold, after their own discounts: without shipping, tips, discounts of the order, and taxes that prices ' +
      'do not include. Negative where discounts exceed the prices.',
  ),
  refunds: field(
    ComputedMoney,
    'Lines that refunds name: units at their unit price, after their share of the discount of the line.',
  ),
  cogs: field(
    ComputedMoney,
    'Product costs minus the costs of what was restocked, as in `/v1/metrics`: over all products, the same sum.',
  ),
  units_without_cost: field(Units, 'Those of `units_sold` whose unit cost is unknown; they count 0 in `cogs`.'),
  gross_profit: field(
    ComputedMoney,
    '`revenue` − `refunds` − `cogs`. At most that while `units_without_cost` is not zero.',
  ),
  revenue_without_cost: field(ComputedMoney, 'Revenue of the lines sold without a known unit cost.'),
  gross_margin: field(
    OptionalDecimal,
    '(`revenue` − `refunds` − `cogs`) / (`revenue` − `refunds`); null while `units_without_cost` is not zero, and ' +
      'where the divisor is zero.',
  ),
  gross_sales: field(Money, 'Lines sold at their prices, with the tax that these include: `revenue` + `discounts`.'),
  discounts: field(Money, 'Discounts of the lines sold; those of whole orders belong to no product.'),
};

/** One SKU in the answer of `GET /v1/products`. */
export const Product = Type.Object(
  {
    sku: field(NullableId, 'The SKU; null: all lines without one.'),
    title: optional(
      LongText,
      'Title of the lines sold, of the newest day of the range that has one; absent where none has.',
    ),
    ...sums,
  },
  { ...closed, title: 'Product' },
);
export type Product = Static<typeof Product>;

export const ProductTotals = Type.Object(sums, {
  ...closed,
  description: 'Sums over all products that the filter finds, each rounded once.',
});
export type ProductTotals = Static<typeof ProductTotals>;

/** What is the same on all pages. */
const whole = {
  count: Type.Integer({ minimum: 0, description: 'All products that the filter finds.' }),
  totals: ProductTotals,
  refunds_without_product: field(
    ComputedMoney,
    'What was refunded in the range beyond the lines that refunds name, whatever the filter: with the `refunds` of all products it is ' +
      '`refunds` of `/v1/metrics`. Negative where less was paid back than the lines cost.',
  ),
};

/** Response of `GET /v1/products`. */
export const ProductsResponse = Type.Object(
  {
    ...rangeFields,
    products: Type.Array(Product, { description: 'A page of the products, in the order asked for.' }),
    ...whole,
    next: Next,
  },
  closed,
);
export type ProductsResponse = Static<typeof ProductsResponse>;

/** Where a page of products begins: the range, the last product of the page before, and what holds for all pages. */
export const ProductPlace = Type.Object(
  {
    from: DayNumber,
    to: DayNumber,
    value: Type.String({ pattern: '^(?:-?[0-9]{1,60}(?:\\.[0-9]{1,12})?)?$' }),
    sku: Type.String({ maxLength: 255 }),
    ...whole,
  },
  closed,
);
export type ProductPlace = Static<typeof ProductPlace>;
export const productPlaceValidator = validator(ProductPlace, 'cursor');
