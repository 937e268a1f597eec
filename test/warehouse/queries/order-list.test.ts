import { expect } from 'chai';
import type { OrderFilter } from '../../../src/warehouse/queries/order-filter.js';
import { rowsQuery } from '../../../src/warehouse/queries/order-rows.js';
import { totalsQuery } from '../../../src/warehouse/queries/order-list.js';

const shop: OrderFilter = { shopId: 's', range: { from: 20_513, to: 20_514 }, rules: [] };
const newest = { sort: 'time', direction: 'desc' } as const;
const first = { filter: shop, sorting: newest, after: undefined, limit: 5 };
const params = { shop: 's', from: '2026-03-01', to: '2026-03-02' };
const COLUMNS =
  'order_id order_name placed_at updated_at received_at status is_test payment_gateway gateway is_warned has_gateway_fee revenue refunds gateway_fees tax tax_refunded fulfillment_cost cogs lines_without_cost skus channel country tags'.split(
    ' ',
  );
/** What a page shows. */
const SHOWN = COLUMNS.filter((name) => !['payment_gateway', 'is_warned', 'skus', 'country', 'tags'].includes(name));
/** Of amounts, sums of a day have the plain name. */
const stored = (name: string): string =>
  name === 'channel'
    ? 'last_touch'
    : /^(revenue|refunds|gateway_fees|tax|tax_refunded|cogs)$/.test(name)
      ? `order_${name}`
      : name;
/** Orders of the days with those columns, in the order in which they are stored. */
const scope = (
  names: readonly string[],
): string => `FROM ( SELECT d.day AS placed_day, ${names.map((name) => `d.${stored(name)} AS ${name}`).join(', ')}
  FROM order_facts AS d FINAL WHERE d.shop_id = {shop:String} AND d.day BETWEEN {from:Date} AND {to:Date} AND d.is_listed ) AS o`;
const scopeWith = (...more: string[]): string =>
  scope(COLUMNS.filter((name) => SHOWN.includes(name) || more.includes(name)));
const CHANNEL = "if(o.channel = '', 'unattributed', toString(o.channel))";
const micros = (name: string): string => `toFloat64(toUnixTimestamp64Micro(o.${name}))`;
const SAME = 'order_name status is_test gateway has_gateway_fee revenue refunds gateway_fees tax tax_refunded cogs';
const SELECTED = `${`${SAME} fulfillment_cost`.replaceAll(/(\w+) ?/g, 'o.$1 AS $1, ')}
  toInt32(o.placed_day) AS day, ${micros('placed_at')} AS placed_at, o.order_id AS order_id, toBool(o.lines_without_cost = 0) AS is_costed, ${CHANNEL} AS channel,
  ${micros('updated_at')} AS updated_at, toFloat64(o.received_at) AS received_at`;
const ORDER = 'ORDER BY o.placed_day DESC, o.placed_at DESC, o.order_id LIMIT {limit:UInt32}';
const COUNTED = "(o.status = 'paid' AND NOT o.is_test)";
const plain = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

describe('the queries of an order list', () => {
  const cases: [string, Partial<OrderFilter>, string, object, string?][] = [
    ['of a range', {}, '', {}],
    ['of a state', { status: 'paid' }, 'o.status = {status:String}', { status: 'paid' }],
    ['that count', { counted: true }, COUNTED, {}],
    ['that do not count', { counted: false }, `NOT ${COUNTED}`, {}],
    ['of a SKU', { sku: 'A' }, 'has(o.skus, {sku:String})', { sku: 'A' }, 'skus'],
    ['of a channel', { channel: 'email' }, `${CHANNEL} = {channel:String}`, { channel: 'email' }],
    [
      'by how they begin',
      { q: '#1' },
      `(startsWith(lowerUTF8(o.order_id), lowerUTF8({q:String})) OR startsWith(lowerUTF8(o.order_name), lowerUTF8({q:String})))`,
      { q: '#1' },
    ],
    ['of a country', { country: 'at' }, 'o.country = {country:String}', { country: 'AT' }, 'country'],
    [
      'with a tag',
      { tag: 'A' },
      'has(arrayMap(x -> lowerUTF8(x), o.tags), lowerUTF8({tag:String}))',
      { tag: 'A' },
      'tags',
    ],
    ['with a missing cost', { missingCost: true }, `(${COUNTED} AND o.lines_without_cost > 0)`, {}],
    ['whose costs are all known', { missingCost: false }, `NOT (${COUNTED} AND o.lines_without_cost > 0)`, {}],
    [
      'that bring a loss',
      { loss: true },
      `(${COUNTED} AND (toDecimal256(o.revenue - o.refunds - o.gateway_fees, 14) - toDecimal256(0, 14) - toDecimal256(o.cogs, 14))
        <= toDecimal256('-0.0000005', 14))`,
      {},
    ],
    ['with a warning', { warned: true }, 'o.is_warned', {}, 'is_warned'],
    ['with refunds', { refunded: true }, `(${COUNTED} AND o.refunds > 0)`, {}],
    [
      'of a gateway, by what its spellings have in common',
      { gateway: 'ßANK' },
      'o.gateway = {gateway:String}',
      { gateway: 'ssank' },
    ],
  ];
  for (const [name, filter, condition, own, more = ''] of cases) {
    it(`finds orders ${name}, with the columns that it takes`, () => {
      const { sql, params: sent } = rowsQuery({ ...first, filter: { ...shop, ...filter } });
      const where = condition === '' ? '' : `WHERE ${condition}`;
      expect(plain(sql)).to.equal(plain(`SELECT '' AS value, ${SELECTED} ${scopeWith(more)} ${where} ${ORDER}`));
      expect(sent).to.deep.equal({ ...params, ...own, limit: 5 });
    });
  }

  it('begins behind the last order of the page before', () => {
    const { sql, params: sent } = rowsQuery({
      ...first,
      after: { value: '', day: 20_514, placed_at: 7, order_id: 'x' },
    });
    expect(plain(sql)).to.equal(
      plain(`SELECT '' AS value, ${SELECTED} ${scopeWith()} WHERE (o.placed_day < {afterDay:Date} OR o.placed_day = {afterDay:Date} AND
        (toUnixTimestamp64Micro(o.placed_at) < {afterAt:Int64} OR
         toUnixTimestamp64Micro(o.placed_at) = {afterAt:Int64} AND o.order_id > {afterId:String})) ${ORDER}`),
    );
    expect(sent).to.deep.equal({ ...params, limit: 5, afterDay: '2026-03-02', afterAt: 7, afterId: 'x' });
  });

  it('sums up counted orders alone', () => {
    expect(plain(totalsQuery(shop).sql)).to.equal(
      plain(`SELECT toUInt32(count()) AS found, toUInt32(countIf(${COUNTED})) AS orders,
        toUInt32(countIf(${COUNTED} AND o.lines_without_cost = 0)) AS costed, toUInt32(countIf(${COUNTED} AND o.has_gateway_fee)) AS charged,
        sumIf(o.revenue, ${COUNTED}) AS revenue, sumIf(o.refunds, ${COUNTED}) AS refunds, sumIf(o.gateway_fees, ${COUNTED}) AS gateway_fees,
        sumIf(o.tax, ${COUNTED}) AS tax, sumIf(o.tax_refunded, ${COUNTED}) AS tax_refunded, sumIf(o.cogs, ${COUNTED}) AS cogs,
        ifNull(sumIf(o.fulfillment_cost, ${COUNTED}), toDecimal128(0, 6)) AS fulfillment_cost,
        sumMapIf([toString(o.gateway)], [toUInt64(1)], [o.revenue],
          ${COUNTED} AND NOT o.has_gateway_fee AND o.gateway != '') AS estimable
        ${scope('status is_test gateway has_gateway_fee revenue refunds gateway_fees tax tax_refunded fulfillment_cost cogs lines_without_cost'.split(' '))}`),
    );
  });
});
