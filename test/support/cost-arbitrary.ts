import { Big } from 'big.js';
import fc from 'fast-check';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import type { Expense } from '../../src/schemas/expenses.js';
import type { GatewayFeeRule } from '../../src/schemas/gateway-fees.js';
import type { OrderCostInput } from '../../src/schemas/order-costs.js';
import type { ProductCostInput } from '../../src/schemas/product-costs.js';
import type { SpendRow } from '../../src/schemas/spend.js';
import { orderVersionArbitrary, ZONES } from './order-arbitrary.js';

/** Bodies as they are sent; the reference reads the very same. */
export type CatalogItem = Required<Omit<ProductCostInput, 'currency'>>;
export type SpendItem = Pick<SpendRow, 'channel' | 'event_date' | 'currency' | 'spend' | 'campaign_id'>;

/** One request of a history. A null expense body deletes. */
export type CostPush =
  | { kind: 'orders'; orders: OrderInput[] }
  | { kind: 'catalog'; costs: CatalogItem[] }
  | { kind: 'spend'; rows: SpendItem[] }
  | { kind: 'order_costs'; costs: OrderCostInput[] }
  | { kind: 'rules'; rules: GatewayFeeRule[] }
  | { kind: 'expense'; externalId: string; expense: Expense | null };

export interface CostHistory {
  zone: (typeof ZONES)[number];
  /** In the order in which they are sent. */
  pushes: CostPush[];
  /** An inclusive range to ask for besides the whole one. */
  range: [string, string];
}

/** All days of the history; orders of the arbitrary lie within. */
export const HISTORY = { from: '2025-02-25', to: '2026-01-10' } as const;

const decimal = (max: number, digits: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: max * 10 ** digits }).map((value) =>
    Big(value)
      .div(10 ** digits)
      .toFixed(digits),
  );

const DAY_MS = 86_400_000;
const FIRST = Date.parse(HISTORY.from);
const SPAN = (Date.parse(HISTORY.to) - FIRST) / DAY_MS;
const dayAt = (offset: number): string => new Date(FIRST + offset * DAY_MS).toISOString().slice(0, 10);
const day = fc.integer({ min: 0, max: SPAN }).map(dayAt);
const currency = fc.constantFrom('EUR', 'EUR', 'EUR', 'USD', 'JPY');
const SKUS = ['A', 'B', 'Ä b'];
const GATEWAYS = ['Stripe', 'STRIPE', 'ßank', 'cash'];

/** What only a statement shows. */
const extras = fc.record(
  {
    discounts: fc.constantFrom('0', '3.5', '0.000001'),
    tips: fc.constantFrom('0', '2.345678'),
    duties: fc.constantFrom('0.5', '11'),
    rounding_adjustment: fc.constantFrom('0.02', '0.000001'),
    tax: fc.constantFrom('0', '0.000001', '4.56', '19'),
    fulfillment_cost: fc.constantFrom('0', '4.9', '12.000001'),
  },
  { requiredKeys: [] },
);
const refundTaxes = fc.array(fc.constantFrom(undefined, undefined, '0', '1.23'), { minLength: 2, maxLength: 2 });

/** Adds them to an order, and to its total what adds up there. */
function withExtras(
  base: OrderInput,
  parts: typeof extras extends fc.Arbitrary<infer T> ? T : never,
  { isIncluded, taxes }: { isIncluded: boolean; taxes: readonly (string | undefined)[] },
): OrderInput {
  const added = [parts.tips, parts.duties, parts.rounding_adjustment, isIncluded ? '0' : parts.tax];
  const shipping = Big(base.shipping ?? '0').plus(parts.discounts ?? '0');
  return {
    ...base,
    ...parts,
    taxes_included: isIncluded,
    // What the discount takes off, shipping puts on.
    shipping: shipping.toFixed(),
    total: added.reduce((sum, amount) => sum.plus(amount ?? '0'), Big(base.total)).toFixed(),
    refunds: (base.refunds ?? []).map((refund, i) => ({
      ...refund,
      ...(taxes[i] !== undefined && { tax_refund: taxes[i] }),
    })),
  };
}

const order = (id: number): fc.Arbitrary<OrderInput> =>
  fc
    .tuple(
      orderVersionArbitrary(`o-${id}`, new Date(FIRST + SPAN * DAY_MS).toISOString()),
      fc.array(fc.option(fc.constantFrom(...SKUS), { nil: undefined }), { minLength: 3, maxLength: 3 }),
      fc.option(fc.constantFrom(...GATEWAYS), { nil: undefined }),
      fc.boolean(),
      fc.array(fc.constantFrom('0', '0', '0.000001', '7.25', '400'), { minLength: 3, maxLength: 3 }),
      extras,
      refundTaxes,
    )
    .map(([plain, skus, gateway, isIncluded, discounts, parts, taxes]) => ({
      base: withExtras(plain, parts, { isIncluded, taxes }),
      skus,
      gateway,
      discounts,
    }))
    .map(({ base, skus, gateway, discounts }) => ({
      ...base,
      ...(gateway !== undefined && { payment_gateway: gateway }),
      line_items: base.line_items.map((line, i) => ({
        ...line,
        line_discount: discounts[i] ?? '0',
        ...(skus[i] !== undefined && { sku: skus[i] }),
      })),
      // What lines take off, shipping puts on: the total stays.
      shipping: base.line_items
        .reduce((sum, _line, i) => sum.plus(discounts[i] ?? '0'), Big(base.shipping ?? '0'))
        .toFixed(),
    }));

export const catalogItem: fc.Arbitrary<CatalogItem> = fc.record({
  sku: fc.constantFrom(...SKUS),
  unit_cost: decimal(50, 6),
  effective_from: fc.option(fc.constantFrom('1970-01-01', '1970-01-02', ...[40, 100, 160, 220].map(dayAt)), {
    nil: null,
  }),
  deleted: fc.integer({ min: 0, max: 4 }).map((value) => value === 0),
});

const spendItem: fc.Arbitrary<SpendItem> = fc
  .record({
    channel: fc.constantFrom('Radio', 'radio!', 'custom:TV'),
    event_date: fc.constantFrom(...[10, 11, 200].map(dayAt)),
    currency,
    spend: fc.oneof(fc.constantFrom('0', '0.00'), decimal(500, 6)),
    campaign_id: fc.constantFrom(undefined, undefined, 'c1', 'c2'),
  })
  .map(({ campaign_id, ...row }) => ({ ...row, ...(campaign_id !== undefined && { campaign_id }) }));

const rules: fc.Arbitrary<GatewayFeeRule[]> = fc
  .subarray(['stripe', 'SSANK', 'paypal'])
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record({ payment_gateway: fc.constant(name), percent: decimal(5, 6), fixed: decimal(1, 6) }),
      ),
    ),
  );

const expense: fc.Arbitrary<Expense> = fc
  .record({
    external_id: fc.constantFrom('e1', 'e2', 'e3', 'e4', 'e5', 'e6'),
    amount: decimal(300, 6),
    currency,
    frequency: fc.constantFrom('monthly', 'weekly', 'yearly', 'one_time', 'per_order', 'percent_of_revenue'),
    from: fc.integer({ min: -400, max: SPAN }),
    days: fc.option(fc.integer({ min: 0, max: 500 }), { nil: null }),
    counts_as_ad_spend: fc.boolean(),
  })
  .map(({ from, days, ...rest }) => ({
    ...rest,
    name: rest.external_id,
    category: 'other',
    started_on: dayAt(from),
    ended_on: days === null ? null : dayAt(from + days),
  }));

/** Of orders of the history, those that have not come yet too; null takes a cost back. */
const orderCost: fc.Arbitrary<OrderCostInput> = fc
  .record({
    id: fc.integer({ min: 0, max: 9 }),
    kinds: fc.subarray(['fulfillment_cost', 'gateway_fee'] as const, { minLength: 1 }),
    amounts: fc.array(fc.oneof(fc.constant(null), decimal(9, 6)), { minLength: 2, maxLength: 2 }),
  })
  .map(({ id, kinds, amounts }) => ({
    order_id: `o-${id}`,
    ...Object.fromEntries(kinds.map((kind, i) => [kind, amounts[i] ?? null])),
  }));

const push: fc.Arbitrary<CostPush> = fc.oneof(
  fc.array(orderCost, { minLength: 1, maxLength: 4 }).map((costs): CostPush => ({ kind: 'order_costs', costs })),
  fc.array(catalogItem, { minLength: 1, maxLength: 4 }).map((costs): CostPush => ({ kind: 'catalog', costs })),
  fc.array(spendItem, { minLength: 1, maxLength: 5 }).map((rows): CostPush => ({ kind: 'spend', rows })),
  rules.map((list): CostPush => ({ kind: 'rules', rules: list })),
  fc.tuple(expense, fc.integer({ min: 0, max: 4 })).map(([item, dice]): CostPush => ({
    kind: 'expense',
    externalId: item.external_id,
    expense: dice === 0 ? null : item,
  })),
);

/** Orders, each pushed once, between random pushes of every kind of cost. */
export const costHistoryArbitrary: fc.Arbitrary<CostHistory> = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    orders: fc
      .integer({ min: 2, max: 10 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => order(i)))),
    costs: fc.array(push, { minLength: 6, maxLength: 18 }),
    range: fc.tuple(day, day).map(([a, b]): [string, string] => (a < b ? [a, b] : [b, a])),
    seed: fc.array(fc.nat(), { minLength: 10, maxLength: 10 }),
  })
  .map(({ zone, orders, costs, range, seed }) => {
    const pushes = [...costs];
    orders.forEach((item, i) => {
      pushes.splice((seed[i] ?? 0) % (pushes.length + 1), 0, { kind: 'orders', orders: [item] });
    });
    return { zone, pushes, range };
  });
