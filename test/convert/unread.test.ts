import { expect } from 'chai';
import { convertWooCommerce } from '../../src/convert/woocommerce/convert.js';
import { namesIn, type FieldTable } from '../../src/convert/unread.js';
import { CSV_FIELDS, unreadShopifyColumns } from '../../src/convert/shopify/csv-fields.js';
import { ORDER_FIELDS as SHOPIFY, unreadShopify } from '../../src/convert/shopify/fields.js';
import { SHOPIFY_ORDERS_QUERY } from '../../src/convert/shopify/query.js';
import { ORDER_FIELDS as WOOCOMMERCE, unreadWooCommerce } from '../../src/convert/woocommerce/fields.js';
import { fieldsOf, isFields, type Fields } from '../../src/domain/fields.js';
import { casesOf } from './cases.js';

function twiceIn({ read, setAside, within = {} }: FieldTable): string[] {
  const names = [...[read, ...Object.values(setAside)].flatMap(namesIn), ...Object.keys(within)];
  return [...names.filter((name, i) => names.indexOf(name) !== i), ...Object.values(within).flatMap(twiceIn)];
}

/** What a query asks for, each field with a value; lists have one entry. */
function askedBy(query: string): Fields {
  const tokens = query.replace(/^[^{]*|\([^)]*\)|\.\.\.\w+|\nfragment[^]*$/g, ' ').match(/\w+|[{}]/g) ?? [];
  let at = 0;
  const fields = (): Fields => {
    const found: Record<string, unknown> = {};
    for (at++; tokens[at] !== '}';) {
      const name = tokens[at++] ?? '';
      const inner = tokens[at] === '{' ? fields() : 'x';
      found[name] = isFields(inner) && isFields(inner.nodes) && name !== 'orders' ? [inner.nodes] : inner;
    }
    at++;
    return Object.keys(found).length === 0 ? { amount: '1' } : found;
  };
  return fields();
}

describe('fields of an order that are not read', () => {
  it('a name is in one list of its table', () => {
    for (const table of [SHOPIFY, CSV_FIELDS, WOOCOMMERCE]) expect(twiceIn(table)).to.deep.equal([]);
  });

  it('the cases and the query have none', () => {
    for (const { name, input } of casesOf('shopify')) {
      if (input.order !== undefined) expect([name, ...unreadShopify(input.order)]).to.deep.equal([name]);
    }
    for (const { name, input } of casesOf('woocommerce')) {
      const order = { ...fieldsOf(input.order), refunds: input.refunds };
      expect([name, ...unreadWooCommerce(order)]).to.deep.equal([name]);
    }
    expect([...unreadShopify(askedBy(SHOPIFY_ORDERS_QUERY).orders)]).to.deep.equal(['pageInfo', 'nodes']);
    expect([...unreadShopify(fieldsOf(askedBy(SHOPIFY_ORDERS_QUERY).orders).nodes)]).to.deep.equal([]);
  });

  it('tells the path of each once, and nothing of empty values and of what was set aside', () => {
    const money = { shop_money: { amount: '0.00', currency_code: 'EUR' } };
    const line = {
      id: 1,
      price_set: { shop_money: { amount: '1.00' } },
      engraving_fee: '5.00',
      properties: [{ a: 1 }],
    };
    const order = {
      line_items: [
        line,
        { ...line, engraving_fee: 2, empty: [], zero: 0, none: null, no: false, text: '', fields: { money } },
      ],
      shipping_address: { city: 'x' },
      refunds: [{ restocking_fee_set: { shop_money: { amount: '3.00' } }, transactions: [{ fee: 1 }] }],
      constructor: 'x',
      money_set: money,
    };
    expect([...unreadShopify(order)]).to.deep.equal([
      'line_items.engraving_fee',
      'refunds.restocking_fee_set',
      'refunds.transactions.fee',
      'constructor',
    ]);
    const graphql = {
      lineItems: { nodes: [], pageInfo: { hasNextPage: true } },
      refunds: [{ transactions: { edges: [{ node: { kind: 'x', newFee: '1' } }] } }],
    };
    expect([...unreadShopify(graphql)]).to.deep.equal(['refunds.transactions.newFee']);
    for (const value of [null, 1, 'x', [], [order], { refunds: 1 }, { refunds: [null, [1]] }, { line_items: 'x' }])
      expect([...unreadShopify(value), ...unreadWooCommerce(value)]).to.deep.equal([]);
    const row = { total: '1', email: 'x', 'tax 5 value': '1', 'tip amount': '2.00', 'new column': '0.00' };
    expect([...unreadShopifyColumns(row)]).to.deep.equal(['tip amount']);
  });

  it('of meta data only keys of money with an amount are told', () => {
    const meta = (key: string, value: unknown) => ({ key, value });
    const order = {
      meta_data: [
        meta('_stripe_fee', '1.00'),
        meta('_woocs_order_rate', '1.2'),
        meta('_wc_order_attribution_utm_source', 'x'),
        meta('_cod_fee', '2.00'),
        meta('_store_credit_used', '0'),
        meta('_feed_id', '7'),
        meta('_deposit_note', 'text'),
      ],
      line_items: [{ id: 1, meta_data: [meta('_wc_cog_item_cost', '4.10'), meta('Colour', 'red')] }],
      cost_of_goods_sold: { total_value: 4.1 },
    };
    expect([...unreadWooCommerce(order)]).to.deep.equal([
      'meta_data._cod_fee',
      'line_items.meta_data._wc_cog_item_cost',
      'cost_of_goods_sold',
    ]);
  });
});

describe('what only a shop of WooCommerce knows', () => {
  const line = { id: 1, name: 'A', product_id: 5, quantity: 1, subtotal: '100.00', total: '100.00', total_tax: '0.00' };
  const base = {
    id: 7,
    status: 'completed',
    currency: 'EUR',
    total: '100.00',
    total_tax: '0.00',
    line_items: [line],
    date_created_gmt: '2026-04-01T10:00:00',
    date_paid_gmt: '2026-04-01T10:00:00',
    meta_data: [],
    refunds: [],
  };

  it('sub_orders counts the parts of a marketplace in place of the whole', () => {
    const part = { ...base, parent_id: 6 };
    const whole = { ...base, meta_data: [{ key: 'has_sub_order', value: '1' }] };
    const codes = [part, whole].flatMap((order) =>
      [false, true].map((subOrders) => {
        const conversion = convertWooCommerce({ order }, { subOrders });
        return 'hold' in conversion ? conversion.hold.code : conversion.order.total;
      }),
    );
    expect(codes).to.deep.equal(['sub_order', '100.00', '100.00', 'sub_order']);
  });

  it('credit_coupons makes a coupon of that type a payment: the total stays whole', () => {
    const order = {
      ...base,
      total: '70.00',
      line_items: [{ ...line, total: '70.00' }],
      coupon_lines: [{ id: 3, discount_type: 'smart_coupon', discount: '30.00', discount_tax: '0.00' }],
    };
    const read = (creditCoupons: string[]) => {
      const conversion = convertWooCommerce({ order }, { creditCoupons });
      if ('hold' in conversion) throw new Error(conversion.hold.message);
      const { total, line_items } = conversion.order;
      return [total, line_items[0]?.line_discount, ...conversion.notes];
    };
    expect(read(['other'])).to.deep.equal(['70.00', '30.00']);
    expect(read(['smart_coupon'])).to.deep.equal(['100.00', undefined, 'gift_card_used']);
  });

  it("an order's own rate goes before that of the option, in either direction", () => {
    const entries = {
      woocs: [
        ['_woocs_order_base_currency', 'EUR'],
        ['_woocs_order_rate', '1.25'],
      ],
      aelia: [['_base_currency_exchange_rate', '0.8']],
      wcpay: [
        ['_wcpay_multi_currency_order_default_currency', 'EUR'],
        ['_wcpay_multi_currency_order_exchange_rate', '1.25'],
      ],
      none: [],
    };
    const totals = Object.entries(entries).map(([plugin, meta]) => {
      const order = { ...base, currency: 'USD', meta_data: meta.map(([key, value]) => ({ key, value })) };
      const conversion = convertWooCommerce({ order }, { currency: 'EUR', rate: { currency: 'USD', value: '0.5' } });
      return [plugin, 'hold' in conversion ? conversion.hold.code : conversion.order.total];
    });
    expect(totals).to.deep.equal([
      ['woocs', '80.00'],
      ['aelia', '80.00'],
      ['wcpay', '80.00'],
      ['none', '50.00'],
    ]);
  });
});
