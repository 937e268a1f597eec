import { expect } from 'chai';
import {
  partNumber,
  signsOf,
  type ContributionFilter,
  type ExplainableFigure,
} from '../../../src/domain/metrics/contributions.js';
import {
  contributionsQuery,
  contributionSumsQuery,
  type ContributionQuery,
} from '../../../src/warehouse/queries/contributions.js';
import { joinOrderCosts } from '../../../src/warehouse/queries/order-costs.js';

const flat = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

const of = (figure: ExplainableFigure, filter: ContributionFilter = {}): ContributionQuery => ({
  shopId: 'shop',
  range: { from: 20_513, to: 20_519 },
  signs: signsOf(figure, filter),
  filter,
  currency: 'EUR',
  rules: [{ payment_gateway: "L'Or", percent: '2.9', fixed: '0.3' }],
});
const PAGE = { limit: 3, ordersOn: new Map<number, number>() };
const RANGE = { shop: 'shop', first: '2026-03-01', last: '2026-03-07', currency: 'EUR' };
const AFTER = { amount: '-1.5', day: 20_514, id: 'a', part: 4, sub: 'r', item: 0 };

const FEES = 'd.gateway_fees AS gateway_fees, d.has_gateway_fee AS has_gateway_fee';

const days = (
  where = '',
  fees = FEES,
  join = '',
): string => `days AS ( SELECT d.day AS day, d.order_id AS order_id, d.placed_day AS placed_day,
  d.version AS version, d.orders AS orders, d.revenue AS revenue, ${fees}, d.payment_gateway AS payment_gateway, d.lines.sku AS skus,
  d.lines.quantity AS quantities, d.lines.unit_cost AS unit_costs, d.lines.restock AS restocks,
  d.refund_list.refund_id AS refund_ids, d.refund_list.total AS refund_totals,
  d.refund_list.gateway_fee_refund AS refunded_fees, arrayFilter((l, r) -> r, arrayZip(d.refund_lines.refund_id,
  d.refund_lines.line_id), d.refund_lines.restock) AS restocked FROM order_days AS d FINAL${join}
  WHERE d.shop_id = {shop:String} AND d.day BETWEEN {first:Date} AND {last:Date}${where} )`;

const lines = (where: string, skus: string): string => `, lines AS ( SELECT l.day AS day, l.order_id AS order_id,
  l.placed_day AS placed_day, l.version AS version, line_sku AS sku, line_quantity AS quantity, line_cost AS unit_cost,
  line_restock AS restock, toUInt32(line_number) AS number,
  l.restocked[line_number - countEqual(l.restocks, false)] AS restocked_line FROM days AS l ARRAY JOIN l.skus AS line_sku,
  l.quantities AS line_quantity, l.unit_costs AS line_cost, l.restocks AS line_restock,
  arrayEnumerate(l.skus) AS line_number${where} ), costed AS ( SELECT n.*,
  coalesce(n.unit_cost, k.unit_cost) AS cost, k.since AS cost_since, multiIf(n.unit_cost IS NOT NULL, 'line',
  k.unit_cost IS NOT NULL, 'catalog', 'unknown') AS cost_from FROM lines AS n ASOF LEFT JOIN (
  SELECT c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost FROM
  (SELECT sku, since, unit_cost FROM product_costs FINAL
  WHERE shop_id = {shop:String} AND sku IN (${skus})) AS c ) AS k
  ON n.sku = k.sku AND n.placed_day >= k.since )`;

const page = (union: string): string => `SELECT e.part AS part, e.amount AS amount, toString(e.day) AS day, e.id AS id,
  e.sub AS sub, e.item AS item, toString(e.placed_day) AS placed_day, toString(e.version) AS version,
  e.line_id AS line_id, e.sku AS sku, e.quantity AS quantity, e.cost AS cost, e.cost_from AS cost_from,
  toString(e.cost_since) AS cost_since, e.facts AS facts FROM ( ${union} ) AS e`;

const part = (sign: number | string, columns: string, from: string): string => `SELECT toUInt8(e_part) AS part,
  ${sign} * CAST(e_size + toDecimal256('0.0000005', 14), 'Decimal(76, 6)') AS amount,
  ${sign} * toDecimal256(e_size, 14) AS exact, e_day AS day, e_id AS id, e_sub AS sub, e_item AS item,
  e_placed_day AS placed_day, e_version AS version, e_line_id AS line_id, e_sku AS sku, e_quantity AS quantity,
  e_cost AS cost, e_cost_from AS cost_from, e_cost_since AS cost_since, e_facts AS facts
  FROM (SELECT ${columns} FROM ${from})`;

/** Entries of orders beside their lines. */
const ofOrders = (sign: number | string, list: string, facts = 'emptyArrayString()'): string =>
  part(
    sign,
    `entry.1 AS e_part, d.day AS e_day, d.order_id AS e_id, entry.2 AS e_sub, toUInt32(0) AS e_item, entry.3 AS e_size,
  d.placed_day AS e_placed_day, d.version AS e_version, '' AS e_line_id, '' AS e_sku, toDecimal128(0, 6) AS e_quantity,
  toDecimal128(0, 6) AS e_cost, '' AS e_cost_from, toDate32(0) AS e_cost_since, ${facts} AS e_facts`,
    `days AS d ARRAY JOIN ${list} AS entry`,
  );

const LINE = `if(d.restock, ${partNumber('restock')}, ${partNumber('line_cost')}) AS e_part, d.day AS e_day, d.order_id AS e_id, if(d.restock, d.restocked_line.1, '') AS e_sub,
  d.number AS e_item, toDecimal256(d.quantity, 6) * toDecimal256(ifNull(d.cost, toDecimal128(0, 6)), 8) AS e_size,
  d.placed_day AS e_placed_day, d.version AS e_version, if(d.restock, d.restocked_line.2, '') AS e_line_id,
  d.sku AS e_sku, d.quantity AS e_quantity, ifNull(d.cost, toDecimal128(0, 6)) AS e_cost, d.cost_from AS e_cost_from,
  d.cost_since AS e_cost_since, emptyArrayString() AS e_facts`;
const OF_LINES = part(`if(e_part IN (${partNumber('restock')}), -1, 1)`, LINE, 'costed AS d WHERE d.cost IS NOT NULL');

const SALE = `if(d.orders = 1, [(toUInt8(${partNumber('sale')}), '', toDecimal256(d.revenue, 14))], [])`;
const REFUND = `arrayMap((r, t) -> (toUInt8(${partNumber('refund')}), r, toDecimal256(t, 14)), d.refund_ids, d.refund_totals)`;
const BY_TIME = `-toInt32(e.day), materialize(e.part >= ${partNumber('spend')}), e.id, materialize(e.part),
  materialize(e.sub), materialize(e.item)`;
const AFTER_TIME = `-toInt32({afterDay:Date}), {afterPart:UInt8} >= ${partNumber('spend')}, {afterId:String}, {afterPart:UInt8},
  {afterSub:String}, {afterItem:UInt32}`;

describe('the query of a page of entries', () => {
  it('reads the sales of the days, newest first', () => {
    const { sql, params } = contributionsQuery({ ...PAGE, ...of('revenue'), order: 'time' });
    expect(flat(sql)).to.equal(
      flat(`WITH ${days()} ${page(ofOrders(1, SALE))} ORDER BY ${BY_TIME} LIMIT {limit:UInt32}`),
    );
    expect(params).to.deep.equal({ ...RANGE, limit: 3 });
  });

  it('lists what a figure adds before what it subtracts, and continues after an entry', () => {
    const { sql, params } = contributionsQuery({ ...PAGE, ...of('net_revenue'), order: 'amount', after: AFTER });
    expect(flat(sql)).to.equal(
      flat(`WITH ${days()} ${page(ofOrders(`if(e_part IN (${partNumber('refund')}), -1, 1)`, `arrayConcat(${SALE}, ${REFUND})`))}
        WHERE (-e.amount, ${BY_TIME}) > (-CAST({afterAmount:String}, 'Decimal(76, 6)'), ${AFTER_TIME})
        ORDER BY -e.amount, ${BY_TIME} LIMIT {limit:UInt32}`),
    );
    const after = {
      afterAmount: '-1.5',
      afterDay: '2026-03-02',
      afterId: 'a',
      afterPart: 4,
      afterSub: 'r',
      afterItem: 0,
    };
    expect(params).to.deep.equal({ ...RANGE, limit: 3, ...after });
  });

  it('costs the lines of a SKU as the rollups do', () => {
    const { sql, params } = contributionsQuery({ ...PAGE, ...of('cogs', { sku: 'TEA' }), order: 'time' });
    expect(flat(sql)).to.equal(
      flat(`WITH ${days(' AND has(d.lines.sku, {sku:String})')}${lines(' WHERE line_sku = {sku:String}', '{sku:String}')} ${page(OF_LINES)}
        ORDER BY ${BY_TIME} LIMIT {limit:UInt32}`),
    );
    expect(params).to.deep.equal({ ...RANGE, limit: 3, sku: 'TEA' });
    const skus = `SELECT arrayJoin(s.lines.sku) FROM order_days AS s
      WHERE s.shop_id = {shop:String} AND s.day BETWEEN {first:Date} AND {last:Date}`;
    expect(flat(contributionsQuery({ ...PAGE, ...of('cogs'), order: 'time' }).sql)).to.equal(
      flat(`WITH ${days()}${lines('', skus)} ${page(OF_LINES)} ORDER BY ${BY_TIME} LIMIT {limit:UInt32}`),
    );
  });

  it('takes orders of a gateway and channel, and the rules for their fees', () => {
    const filter = { gateway: "l'or", channel: 'email' };
    const { sql, params } = contributionSumsQuery({ ...of('gateway_fees', filter) });
    const where = ` AND d.payment_gateway = {gateway:String} AND (d.placed_day, d.order_id) IN (SELECT a.placed_day,
      a.order_id FROM order_attribution AS a FINAL WHERE a.shop_id = {shop:String} AND a.placed_day IN (SELECT o.placed_day
      FROM order_days AS o WHERE o.shop_id = {shop:String} AND o.day BETWEEN {first:Date} AND {last:Date})
      AND a.last_touch = {channel:String})`;
    const rule = (values: string): string =>
      `CAST('[${values}]', 'Array(Decimal(76, 6))')[transform(d.payment_gateway, ['l\\'or'], [1], 0)]`;
    const known = `if(d.orders = 1 AND x.gateway_fee IS NOT NULL, ifNull(x.gateway_fee, toDecimal128(0, 6))
      - arraySum(d.refund_list.gateway_fee_refund), d.gateway_fees) AS gateway_fees,
      d.has_gateway_fee OR (d.orders = 1 AND x.gateway_fee IS NOT NULL) AS has_gateway_fee`;
    const join = joinOrderCosts(
      'd.order_id',
      `SELECT y.order_id FROM order_days AS y WHERE y.shop_id = {shop:String} AND y.day BETWEEN {first:Date} AND {last:Date}
        AND y.orders = 1`,
    );
    const size = `${rule('2.9')} * toDecimal256(d.revenue, 6) * toDecimal256('0.01', 2) + ${rule('0.3')}`;
    const list = [
      `if(d.orders = 1 AND d.has_gateway_fee, [(toUInt8(${partNumber('fee_actual')}), '', toDecimal256(d.gateway_fees + arraySum(d.refunded_fees), 14))], [])`,
      `if(d.orders = 1 AND NOT d.has_gateway_fee AND d.payment_gateway IN ['l\\'or'], [(toUInt8(${partNumber('fee_estimate')}), '', ${size})], [])`,
      `arrayFilter(f -> f.3 != 0, arrayMap((r, t) -> (toUInt8(${partNumber('fee_refund')}), r, toDecimal256(t, 14)), d.refund_ids, d.refunded_fees))`,
    ];
    const union = ofOrders(
      `if(e_part IN (${partNumber('fee_refund')}), -1, 1)`,
      `arrayConcat(${list.join(', ')})`,
      `if(entry.1 = ${partNumber('fee_estimate')}, [d.payment_gateway], emptyArrayString())`,
    );
    expect(flat(sql)).to.equal(
      flat(`WITH ${days(where, known, join)} SELECT toString(count()) AS count, sumIf(e.exact, e.part NOT IN (${partNumber('ad_expense')}, ${partNumber('other_expense')})) AS exact, sum(e.amount) AS rounded
        FROM ( ${union} ) AS e`),
    );
    expect(params).to.deep.equal({ ...RANGE, ...filter });
  });

  it('reads no orders for spend and expenses', () => {
    for (const figure of ['ad_spend', 'operating_expenses'] as const) {
      expect(contributionsQuery({ ...PAGE, ...of(figure), order: 'time' }).sql).not.to.match(
        /order_days|product_costs/,
      );
    }
  });
});
