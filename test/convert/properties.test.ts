import { expect } from 'chai';
import fc from 'fast-check';
import type { Conversion } from '../../src/convert/conversion.js';
import { GRAPHQL } from '../../src/convert/shopify/complete.js';
import { SHOPIFY_ORDERS_QUERY } from '../../src/convert/shopify/query.js';
import { convertShopifyRows } from '../../src/convert/shopify/csv.js';
import { convertShopify } from '../../src/convert/shopify/convert.js';
import { convertWooCommerce } from '../../src/convert/woocommerce/convert.js';
import { acceptsItem } from './accepts-item.js';
import { casesOf } from './cases.js';
import { shopifyModel, shopifyOrder } from './shopify-model.js';
import { wooModel, wooOrder } from './woocommerce-model.js';

function itemOf(conversion: Conversion) {
  if ('hold' in conversion) throw new Error(`held back: ${conversion.hold.code}: ${conversion.hold.message}`);
  expect(acceptsItem(conversion.order)).to.deep.equal([]);
  const { total, tax, line_items, refunds = [] } = conversion.order;
  const lines = line_items.map(({ line_id, quantity }): [string, string] => [line_id, quantity]);
  const back = refunds.map((refund): [string, string, string[]] => [
    refund.refund_id,
    refund.total,
    (refund.line_items ?? []).map(({ line_id, quantity }) => `${line_id} ${quantity}`),
  ]);
  return { total, tax, units: lines, refunds: back };
}

/** Holds, or gives an item that the service takes. */
function isSound(conversion: Conversion): void {
  if ('hold' in conversion) {
    const { code, message, field } = conversion.hold;
    expect(
      [code, message, field].every((text) => typeof text === 'string' && text !== ''),
      code,
    ).to.equal(true);
  } else {
    // A day far ahead is known to be one only to the service, which has a clock.
    const faults = acceptsItem(conversion.order).filter(
      (one) => (one as { code: string }).code !== 'invalid_timestamp',
    );
    expect(faults, JSON.stringify(conversion.order)).to.deep.equal([]);
  }
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    0,
    -1,
    0.1,
    1e21,
    1e-9,
    NaN,
    true,
    [],
    {},
    [null],
    [[]],
    '-5.00',
    '1e5',
    '12,50',
    'USD',
  ),
  fc.constantFrom<unknown>(
    '9'.repeat(40),
    '0.1234567',
    2 ** 53 + 2,
    'gid://shopify/Order/1',
    '\ud800',
    'x'.repeat(3000),
    '2026-02-30T00:00:00Z',
  ),
  fc.constantFrom<unknown>(
    '__proto__',
    { nodes: [null] },
    { edges: [{ node: { id: 1 } }] },
    { shop_money: { amount: 'x' } },
    { pageInfo: { hasNextPage: true } },
  ),
);

/** Puts values of any type at any places of an order. */
function spoilt(value: unknown, at: readonly number[], replacement: unknown): unknown {
  const [first, ...rest] = at;
  if (first === undefined || typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[first % Math.max(1, keys.length)];
  if (key === undefined) return replacement;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    name === key ? spoilt(one, rest, replacement) : one,
  ]);
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}
const path = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 });
const faults = fc.array(fc.tuple(path, junk), { minLength: 1, maxLength: 4 });

describe('the query for the GraphQL API', () => {
  it('asks for every field without which an order is held back', () => {
    const words = new Set(SHOPIFY_ORDERS_QUERY.split(/\W+/));
    const missing = Object.values(GRAPHQL)
      .flat()
      .filter((name) => !words.has(name));
    expect(missing).to.deep.equal([]);
    for (const list of SHOPIFY_ORDERS_QUERY.matchAll(/\w+\(first: \d+[^)]*\) \{\s*(\w+)/g))
      expect(list[1]).to.equal('pageInfo');
  });
});

describe('conversion of any order', function () {
  this.timeout(60_000);

  it('gives the figures of what was sold, paid, edited and refunded at Shopify, to the last digit', () => {
    fc.assert(
      fc.property(shopifyModel, (model) => {
        const { order, figures } = shopifyOrder(model);
        expect(itemOf(convertShopify(order))).to.deep.equal(figures);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the figures of what was sold, paid and refunded at WooCommerce, to the last digit', () => {
    fc.assert(
      fc.property(wooModel, (model) => {
        const { order, refunds, figures } = wooOrder(model);
        const { units, ...item } = itemOf(convertWooCommerce({ order, refunds }, { giftCardSkus: ['GC'] }));
        expect(item).to.deep.equal(figures);
        expect(units.length).to.be.above(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws: an order with values of any type at any place is held back, or is an item that the service takes', () => {
    const orders = [
      ...casesOf('shopify')
        .map(({ input }) => input.order)
        .filter(Boolean),
      shopifyOrder(fc.sample(shopifyModel, 1)[0] as never).order,
    ];
    const wooOrders = casesOf('woocommerce').map(({ input: { order, refunds } }) => ({ order, refunds }));
    fc.assert(
      fc.property(fc.constantFrom(...orders), faults, (order, changes) => {
        isSound(convertShopify(changes.reduce<unknown>((one, [at, value]) => spoilt(one, at, value), order)));
      }),
      { numRuns: 10_000 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...wooOrders), faults, (order, changes) => {
        const given = changes.reduce<unknown>((one, [at, value]) => spoilt(one, at, value), order);
        isSound(convertWooCommerce(given as { order: unknown }));
      }),
      { numRuns: 10_000 },
    );
    fc.assert(
      fc.property(fc.anything(), (value) => {
        isSound(convertShopify(value));
        isSound(convertWooCommerce({ order: value, refunds: value }));
        isSound(convertWooCommerce(value as never));
        isSound(convertShopifyRows([value as never]));
      }),
      { numRuns: 5_000 },
    );
  });

  it('joins equal lines of an order with more than 500, and holds one with more different ones', () => {
    const line = { quantity: 1, price: '2.00', sku: 'A', current_quantity: 1 };
    const orderOf = (count: number, extra: (i: number) => object) => ({
      id: 1,
      currency: 'EUR',
      created_at: '2026-04-02T21:15:00Z',
      updated_at: '2026-04-02T21:15:00Z',
      financial_status: 'paid',
      taxes_included: false,
      total_price: `${count * 2}.00`,
      total_tax: '0',
      shipping_lines: [],
      refunds: [
        {
          id: 5,
          created_at: '2026-04-03T21:15:00Z',
          refund_line_items: Array.from({ length: count }, (_, i) => ({
            line_item_id: i + 1,
            quantity: 1,
            restock_type: 'return',
          })),
          transactions: [{ kind: 'refund', status: 'success', amount: `${count * 2}.00` }],
        },
      ],
      line_items: Array.from({ length: count }, (_, i) => ({ id: i + 1, ...line, ...extra(i) })),
    });
    const merged = convertShopify(orderOf(1_200, () => ({})));
    expect(itemOf(merged)).to.deep.equal({
      total: '2400.00',
      tax: '0.00',
      units: [['1', '1200']],
      refunds: [['5', '2400.00', ['1 1200']]],
    });
    expect('notes' in merged && merged.notes).to.deep.equal(['equal_lines_merged']);
    expect(itemOf(convertShopify(orderOf(500, () => ({})))).units).to.have.length(500);
    const held = convertShopify(orderOf(501, (i) => ({ sku: `S${i}` })));
    expect('hold' in held && held.hold.code).to.equal('too_many_lines');
  });
});
