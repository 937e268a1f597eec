import { expect } from 'chai';
import { gatewayKeyOf } from '../../../src/warehouse/queries/gateway-keys.js';
import type { OrderFilter } from '../../../src/warehouse/queries/order-filter.js';
import { keysQuery } from '../../../src/warehouse/queries/order-keys.js';
import { totalCostsQuery, totalsQuery } from '../../../src/warehouse/queries/order-list.js';
import { joinOrderCosts } from '../../../src/warehouse/queries/order-costs.js';

const shop: OrderFilter = { shopId: 's', range: { from: 20_513, to: 20_514 }, rules: [] };
const newest = { sort: 'time', direction: 'desc' } as const;
const params = { shop: 's', from: '2026-03-01', to: '2026-03-02' };
const SCOPE =
  'FROM orders AS o FINAL WHERE o.shop_id = {shop:String} AND o.placed_day BETWEEN {from:Date} AND {to:Date}';
const COLUMNS = `SELECT '' AS value, toString(o.placed_day) AS day, toString(toUnixTimestamp64Micro(o.placed_at)) AS at, o.order_id AS order_id`;
const ORDER = 'ORDER BY o.placed_day DESC, o.placed_at DESC, o.order_id LIMIT {limit:UInt32}';
const COUNTED = "(o.status = 'paid' AND NOT o.is_test)";
const plain = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

const FEE = 'coalesce(x.gateway_fee, o.gateway_fee)';
const KNOWN_COSTS = joinOrderCosts(
  'o.order_id',
  `SELECT y.order_id FROM orders AS y WHERE y.shop_id = {shop:String} AND y.placed_day BETWEEN {from:Date} AND {to:Date}`,
);

describe('the queries of an order list', () => {
  const cases: [string, Partial<OrderFilter>, string, object][] = [
    ['of a range', {}, '', {}],
    ['of a state', { status: 'paid' }, ' AND o.status = {status:String}', { status: 'paid' }],
    ['that count', { counted: true }, ` AND ${COUNTED}`, {}],
    ['that do not count', { counted: false }, ` AND NOT ${COUNTED}`, {}],
    ['of a SKU', { sku: 'A' }, ' AND has(o.line_items.sku, {sku:String})', { sku: 'A' }],
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
    ['with refunds', { refunded: true }, ` AND (${COUNTED} AND arraySum(o.refunds.total) > 0)`, {}],
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
        SELECT * FROM orders AS v
        WHERE v.shop_id = {shop:String} AND v.placed_day BETWEEN {from:Date} AND {to:Date} AND (v.placed_day, v.order_id) IN (
          SELECT d.placed_day, d.order_id FROM orders AS d
          WHERE d.shop_id = {shop:String} AND d.placed_day BETWEEN {from:Date} AND {to:Date}
            AND d.is_deleted = 1 AND toUnixTimestamp64Micro(d.placed_at) > 0
        ) ORDER BY v.version DESC LIMIT 1 BY v.placed_day, v.order_id
      ) AS o WHERE o.is_deleted = 1 AND toUnixTimestamp64Micro(o.placed_at) > 0 ${ORDER}`),
    );
  });

  it('sums up counted orders alone', () => {
    expect(plain(totalsQuery(shop).sql)).to.equal(
      plain(`SELECT toString(count()) AS found, toString(countIf(${COUNTED})) AS orders, sumIf(o.total, ${COUNTED}) AS revenue,
        sumIf(arraySum(o.refunds.total), ${COUNTED}) AS refunds,
        sumIf(ifNull(${FEE}, toDecimal128(0, 6)) - arraySum(o.refunds.gateway_fee_refund), ${COUNTED}) AS gateway_fees,
        ifNull(sumIf(o.tax, ${COUNTED}), toDecimal128(0, 6)) AS tax,
        sumIf(arraySum(arrayMap(t -> ifNull(t, toDecimal128(0, 6)), o.refunds.tax_refund)), ${COUNTED}) AS tax_refunds,
        ifNull(sumIf(coalesce(x.fulfillment_cost, o.fulfillment_cost), ${COUNTED}), toDecimal128(0, 6)) AS fulfillment_costs,
        sumMapIf([o.payment_gateway], [toUInt64(1)], [o.total],
          ${COUNTED} AND ${FEE} IS NULL AND o.payment_gateway != '') AS estimable
        ${SCOPE.replace(' FINAL', ` FINAL${KNOWN_COSTS}`)}`),
    );
  });

  it('costs their lines without what was restocked, by a catalog of no more than the SKUs of the days', () => {
    expect(plain(totalCostsQuery(shop).sql)).to.equal(
      plain(`SELECT sum(toDecimal256(l.quantity, 6) * toDecimal256(ifNull(coalesce(l.unit_cost, k.unit_cost), toDecimal128(0, 6)), 6)) AS cogs
        FROM ( SELECT n.placed_day AS placed_day, n.order_id AS order_id, line_sku AS sku, line_cost AS unit_cost, line_quantity AS quantity
          FROM ( SELECT o.placed_day AS placed_day, o.order_id AS order_id, o.line_items.sku AS skus,
            o.line_items.unit_cost AS unit_costs, arrayMap((sold, quantity) -> quantity - arraySum(
              (id, back, restock) -> if(restock AND id = sold, back, toDecimal128(0, 6)),
              o.refund_lines.line_id, o.refund_lines.quantity, o.refund_lines.restock
            ), o.line_items.line_id, o.line_items.quantity) AS quantities ${SCOPE} AND ${COUNTED} ) AS n
          ARRAY JOIN n.skus AS line_sku, n.unit_costs AS line_cost, n.quantities AS line_quantity ) AS l
        ASOF LEFT JOIN ( SELECT c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost
          FROM (SELECT sku, since, unit_cost FROM product_costs FINAL WHERE shop_id = {shop:String} AND sku IN (SELECT arrayJoin(s.line_items.sku) FROM orders AS s
            WHERE s.shop_id = {shop:String} AND s.placed_day BETWEEN {from:Date} AND {to:Date})) AS c
        ) AS k ON l.sku = k.sku AND l.placed_day >= k.since`),
    );
  });
});
