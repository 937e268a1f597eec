import { expect } from 'chai';
import fc from 'fast-check';
import { readMicros } from '../../src/convert/amounts.js';
import { GRAPHQL } from '../../src/convert/shopify/complete.js';
import { SHOPIFY_ORDERS_QUERY } from '../../src/convert/shopify/query.js';
import { convertShopifyRows } from '../../src/convert/shopify/csv.js';
import { convertShopify } from '../../src/convert/shopify/convert.js';
import { convertWooCommerce } from '../../src/convert/woocommerce/convert.js';
import { casesOf } from './cases.js';
import { fieldsOf } from '../../src/domain/fields.js';
import { runs } from '../support/runs.js';
import { figuresOf, isSound } from './figures.js';
import { shopifyModel, shopifyOrder } from './shopify-model.js';
import { faults, withFaults } from './spoilt.js';
import { wooModel, wooOrder } from './woocommerce-model.js';

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

describe('an order that does not say whether it is a test', () => {
  it('is held back by name, in REST and GraphQL', () => {
    const forms = ['graphql-trimmed-zeros', 'refund-without-lines'].map((name) => {
      return fieldsOf(casesOf('shopify').find((one) => one.name === name)?.input.order);
    });
    for (const order of forms) {
      expect(convertShopify(order)).to.have.property('order');
      for (const test of [null, undefined, '']) {
        const conversion = convertShopify({ ...order, test });
        expect('hold' in conversion && [conversion.hold.code, conversion.hold.field]).to.deep.equal([
          'query_incomplete',
          'test',
        ]);
      }
    }
  });
});

describe('conversion of any order', function () {
  this.timeout(60_000);

  it('gives the figures of what was sold, paid, edited and refunded at Shopify, to the last digit', () => {
    fc.assert(
      fc.property(shopifyModel, (model) => {
        const { order, figures } = shopifyOrder(model);
        expect(figuresOf(convertShopify(order))).to.deep.equal(figures);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('gives the figures of what was sold, paid and refunded at WooCommerce, to the last digit', () => {
    fc.assert(
      fc.property(wooModel, (model) => {
        const { order, refunds, options, figures } = wooOrder(model);
        const { units, total, tax, refunds: back } = figuresOf(convertWooCommerce({ order, refunds }, options));
        expect({ total, tax, refunds: back }).to.deep.equal(figures);
        expect(units.length).to.be.above(0);
        if (model.rate !== undefined && model.rate.by !== 'option') return;
        const held = convertWooCommerce({ order, refunds }, { currency: 'USD' });
        expect('hold' in held && held.hold.code).to.equal('other_currency');
        if (model.rate !== undefined) return;
        const rate = { currency: 'USD', value: '2' };
        const doubled = figuresOf(convertWooCommerce({ order, refunds }, { ...options, rate }));
        expect(readMicros(doubled.total)).to.equal(2n * (readMicros(total) ?? 0n));
        const own = { ...options, currency: 'USD', rate: { currency: model.currency, value: '2' } };
        expect(figuresOf(convertWooCommerce({ order, refunds }, own)).total).to.equal(doubled.total);
        const other = convertWooCommerce({ order, refunds }, { ...own, rate: { currency: 'GBP', value: '2' } });
        expect('hold' in other && other.hold.code, 'by the rate of a third currency').to.equal('other_currency');
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('holds back an order whose id is no text and can be made none', () => {
    let list: unknown = [];
    for (let depth = 0; depth < 50_000; depth++) list = [list];
    for (const id of [{ toString: null }, [{ toString: 1 }], list]) {
      for (const name of ['id', 'admin_graphql_api_id'])
        expect(convertShopify({ [name]: id })).to.have.nested.property('hold.code', 'query_incomplete');
      expect(convertWooCommerce({ order: { id } })).to.have.nested.property('hold.code', 'query_incomplete');
    }
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
        isSound(convertShopify(withFaults(order, changes)));
      }),
      { numRuns: runs(10_000) },
    );
    fc.assert(
      fc.property(fc.constantFrom(...wooOrders), faults, (order, changes) => {
        isSound(convertWooCommerce(withFaults(order, changes) as { order: unknown }));
      }),
      { numRuns: runs(10_000) },
    );
    fc.assert(
      fc.property(fc.anything(), (value) => {
        isSound(convertShopify(value));
        isSound(convertWooCommerce({ order: value, refunds: value }));
        isSound(convertWooCommerce(value as never));
        isSound(convertShopifyRows([value as never]));
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('joins equal lines of an order with more than 500, and holds one with more different ones', () => {
    const line = { quantity: 1, price: '2.00', sku: 'A', current_quantity: 1 };
    const orderOf = (count: number, extra: (i: number) => object) => ({
      id: 1,
      currency: 'EUR',
      created_at: '2026-04-02T21:15:00Z',
      processed_at: null,
      updated_at: '2026-04-02T21:15:00Z',
      cancelled_at: null,
      test: false,
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
    expect(figuresOf(merged)).to.include({ total: '2400.00', tax: '0.00' });
    expect(figuresOf(merged).units).to.deep.equal([['1', '1200']]);
    expect(figuresOf(merged).refunds).to.deep.equal([['5', '2400.00', '0.00', '0.00', ['1 1200']]]);
    expect('notes' in merged && merged.notes).to.deep.equal(['equal_lines_merged']);
    expect(figuresOf(convertShopify(orderOf(500, () => ({})))).units).to.have.length(500);
    const held = convertShopify(orderOf(501, (i) => ({ sku: `S${i}` })));
    expect('hold' in held && held.hold.code).to.equal('too_many_lines');
  });
});
