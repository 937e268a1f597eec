import { expect } from 'chai';
import { gatewayKeyOf } from '../../../src/warehouse/queries/gateway-keys.js';
import type { OrderFilter } from '../../../src/warehouse/queries/order-filter.js';
import { keysQuery } from '../../../src/warehouse/queries/order-keys.js';
import { totalsQuery } from '../../../src/warehouse/queries/order-list.js';

const shop: OrderFilter = { shopId: 's', range: { from: 20_513, to: 20_514 }, rules: [] };
const newest = { sort: 'time', direction: 'desc' } as const;
const params = { shop: 's', from: '2026-03-01', to: '2026-03-02' };
const STORED =
  'order_id order_name placed_at status is_test payment_gateway is_warned has_gateway_fee revenue refunds gateway_fees tax tax_refunded fulfillment_cost cogs lines_without_cost skus'.split(
    ' ',
  );
const DAYS = (table: string): string =>
  `${table}.shop_id = {shop:String} AND ${table}.placed_day BETWEEN {from:Date} AND {to:Date}`;
const SCOPE = `FROM ( SELECT d.placed_day AS placed_day, ${STORED.join(', ')} FROM order_profit AS d FINAL
  ARRAY JOIN ${STORED.map((name) => `d.orders.${name} AS ${name}`).join(', ')} WHERE ${DAYS('d')} ) AS o WHERE true`;
const COLUMNS = `SELECT '' AS value, toString(o.placed_day) AS day, toString(toUnixTimestamp64Micro(o.placed_at)) AS at, o.order_id AS order_id`;
const ORDER = 'ORDER BY o.placed_day DESC, o.placed_at DESC, o.order_id LIMIT {limit:UInt32}';
const COUNTED = "(o.status = 'paid' AND NOT o.is_test)";
const plain = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

describe('the queries of an order list', () => {
  const cases: [string, Partial<OrderFilter>, string, object][] = [
    ['of a range', {}, '', {}],
    ['of a state', { status: 'paid' }, ' AND o.status = {status:String}', { status: 'paid' }],
    ['that count', { counted: true }, ` AND ${COUNTED}`, {}],
    ['that do not count', { counted: false }, ` AND NOT ${COUNTED}`, {}],
    ['of a SKU', { sku: 'A' }, ' AND has(o.skus, {sku:String})', { sku: 'A' }],
    [
      'of a channel',
      { channel: 'email' },
      ` AND (o.placed_day, o.order_id) IN ( SELECT a.placed_day, a.order_id FROM order_attribution AS a FINAL
        WHERE a.shop_id = {shop:String} AND a.placed_day BETWEEN {from:Date} AND {to:Date} AND a.last_touch = {channel:String})`,
      { channel: 'email' },
    ],
    [
      'of no channel',
      { channel: 'unattributed' },
      ` AND (o.placed_day, o.order_id) NOT IN ( SELECT a.placed_day, a.order_id FROM order_attribution AS a FINAL
        WHERE a.shop_id = {shop:String} AND a.placed_day BETWEEN {from:Date} AND {to:Date} AND a.last_touch != {channel:String})`,
      { channel: 'unattributed' },
    ],
    [
      'by how they begin',
      { q: '#1' },
      ` AND (startsWith(lowerUTF8(o.order_id), lowerUTF8({q:String})) OR startsWith(lowerUTF8(o.order_name), lowerUTF8({q:String})))`,
      { q: '#1' },
    ],
    ['with a line of unknown cost', { missingCost: true }, ` AND (${COUNTED} AND o.lines_without_cost > 0)`, {}],
    [
      'that bring a loss',
      { loss: true },
      ` AND (${COUNTED} AND (toDecimal256(o.revenue - o.refunds - o.gateway_fees, 14) - toDecimal256(0, 14) - toDecimal256(o.cogs, 14))
        <= toDecimal256('-0.0000005', 14))`,
      {},
    ],
    ['with a warning', { warned: true }, ' AND o.is_warned', {}],
    ['with refunds', { refunded: true }, ` AND (${COUNTED} AND o.refunds > 0)`, {}],
    [
      'of a gateway, by what its spellings have in common',
      { gateway: 'ßANK' },
      ` AND ${gatewayKeyOf('o.payment_gateway')} = {gateway:String}`,
      { gateway: 'ssank' },
    ],
  ];
  for (const [name, filter, condition, own] of cases) {
    it(`finds orders ${name}`, () => {
      const { sql, params: sent } = keysQuery({ ...shop, ...filter }, newest, undefined, 5);
      expect(plain(sql)).to.equal(plain(`${COLUMNS} ${SCOPE}${condition} ${ORDER}`));
      expect(sent).to.deep.equal({ ...params, ...own, limit: 5 });
    });
  }

  it('begins behind the last order of the page before', () => {
    const { sql, params: sent } = keysQuery(shop, newest, { value: '', day: 20_514, placedAt: 7, orderId: 'x' }, 5);
    expect(plain(sql)).to.equal(
      plain(`${COLUMNS} ${SCOPE} AND (o.placed_day < {afterDay:Date} OR o.placed_day = {afterDay:Date} AND
        (toUnixTimestamp64Micro(o.placed_at) < {afterAt:Int64} OR
         toUnixTimestamp64Micro(o.placed_at) = {afterAt:Int64} AND o.order_id > {afterId:String})) ${ORDER}`),
    );
    expect(sent).to.deep.equal({ ...params, limit: 5, afterDay: '2026-03-02', afterAt: 7, afterId: 'x' });
  });

  it('reads a deleted order from the row that deleted it', () => {
    expect(plain(keysQuery({ ...shop, status: 'deleted' }, newest, undefined, 5).sql)).to.equal(
      plain(`${COLUMNS} FROM (
        SELECT o.placed_day AS placed_day, o.order_id AS order_id, o.order_name AS order_name, o.placed_at AS placed_at,
          o.status AS status, o.is_test AS is_test, o.payment_gateway AS payment_gateway, notEmpty(o.warnings.code) AS is_warned, o.line_items.sku AS skus, o.total AS revenue,
          toDecimal128(0, 6) AS tax, toDecimal128(0, 6) AS tax_refunded, toDecimal128(0, 6) AS fulfillment_cost, toDecimal128(0, 6) AS refunds, toDecimal128(0, 6) AS gateway_fees, true AS has_gateway_fee,
          toDecimal256(0, 12) AS cogs, toUInt64(0) AS lines_without_cost FROM (
          SELECT * FROM orders AS v
          WHERE ${DAYS('v')} AND (v.placed_day, v.order_id) IN (
            SELECT d.placed_day, d.order_id FROM orders AS d
            WHERE ${DAYS('d')} AND d.is_deleted = 1 AND toUnixTimestamp64Micro(d.placed_at) > 0
          ) ORDER BY v.version DESC LIMIT 1 BY v.placed_day, v.order_id
        ) AS o WHERE o.is_deleted = 1 AND toUnixTimestamp64Micro(o.placed_at) > 0
      ) AS o WHERE true ${ORDER}`),
    );
  });

  it('sums up counted orders alone', () => {
    expect(plain(totalsQuery(shop).sql)).to.equal(
      plain(`SELECT toString(count()) AS found, toString(countIf(${COUNTED})) AS orders, sumIf(o.revenue, ${COUNTED}) AS revenue,
        sumIf(o.refunds, ${COUNTED}) AS refunds, sumIf(o.cogs, ${COUNTED}) AS cogs, sumIf(o.gateway_fees, ${COUNTED}) AS gateway_fees,
        sumIf(o.tax, ${COUNTED}) AS tax, sumIf(o.tax_refunded, ${COUNTED}) AS tax_refunds,
        ifNull(sumIf(o.fulfillment_cost, ${COUNTED}), toDecimal128(0, 6)) AS fulfillment_costs,
        sumMapIf([toString(o.payment_gateway)], [toUInt64(1)], [o.revenue],
          ${COUNTED} AND NOT o.has_gateway_fee AND o.payment_gateway != '') AS estimable
        ${SCOPE}`),
    );
  });
});
