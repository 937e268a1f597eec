import { expect } from 'chai';
import { partNumber, signsOf, type ContributionFilter } from '../../../src/domain/metrics/contributions.js';
import type { ExplainableFigure } from '../../../src/domain/metrics/figure-list.js';
import {
  contributionCountsQuery,
  contributionsQuery,
  contributionSumsQuery,
  type ContributionQuery,
} from '../../../src/warehouse/queries/contributions.js';

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

const DAYS =
  'FROM order_days AS d FINAL WHERE d.shop_id = {shop:String} AND d.day BETWEEN {first:Date} AND {last:Date}';
const BY_TIME = `-toInt32(e.day), materialize(e.part >= ${partNumber('spend')}), e.id, materialize(e.part),
  materialize(e.sub), materialize(e.item)`;
const AFTER_TIME = `-toInt32({afterDay:Date}), {afterPart:UInt8} >= ${partNumber('spend')}, {afterId:String}, {afterPart:UInt8},
  {afterSub:String}, {afterItem:UInt32}`;

describe('the query of a page of entries', () => {
  it('reads the sales of the days and no lines, newest first', () => {
    const { sql, params } = contributionsQuery({ ...PAGE, ...of('revenue'), order: 'time' });
    expect(flat(sql))
      .to.contain(DAYS)
      .and.not.match(/product_costs|line_sku/);
    expect(flat(sql).endsWith(flat(`ORDER BY ${BY_TIME} LIMIT {limit:UInt32}`))).to.equal(true);
    expect(params).to.deep.equal({ ...RANGE, limit: 3 });
  });

  it('lists what a figure adds before what it subtracts, and continues after an entry', () => {
    const { sql, params } = contributionsQuery({ ...PAGE, ...of('net_revenue'), order: 'amount', after: AFTER });
    expect(flat(sql)).to.contain(`if(e_part IN (${partNumber('refund')}), -1, 1) * e_amount AS amount`);
    expect(flat(sql)).to.contain(
      flat(`WHERE (-e.amount, ${BY_TIME}) > (-CAST({afterAmount:String}, 'Decimal(76, 6)'), ${AFTER_TIME})
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

  it('reads of a SKU its lines and its costs alone, else the costs of what was sold on the days', () => {
    const { sql, params } = contributionsQuery({ ...PAGE, ...of('cogs', { sku: 'TEA' }), order: 'time' });
    for (const condition of ['has(d.lines.sku, {sku:String})', 'line_sku = {sku:String}', 'sku IN ({sku:String})'])
      expect(flat(sql)).to.contain(condition);
    expect(params).to.deep.equal({ ...RANGE, limit: 3, sku: 'TEA' });
    expect(flat(contributionsQuery({ ...PAGE, ...of('cogs'), order: 'time' }).sql)).to.contain(
      `sku IN (SELECT arrayJoin(s.lines.sku) FROM order_days AS s WHERE s.shop_id = {shop:String} AND s.day BETWEEN {first:Date} AND {last:Date})`,
    );
  });

  it('reads for restocked lines alone the orders that have any, in whatever version', () => {
    const sql = flat(contributionsQuery({ ...PAGE, ...of('cogs'), signs: { restock: 1 }, order: 'amount' }).sql);
    const rows = `FROM order_days AS r WHERE r.shop_id = {shop:String} AND r.day BETWEEN {first:Date} AND {last:Date}
      AND has(r.lines.restock, true))`;
    for (const condition of [
      `(l.day, l.order_id) IN (SELECT r.day, r.order_id ${rows}`,
      `sku IN (SELECT arrayJoin(r.lines.sku) ${rows}`,
    ])
      expect(sql).to.contain(flat(condition));
  });

  it('reads by amount no restocked lines of days that are worth less together than what the page can show', () => {
    const signs = { sale: 1, restock: 1 } as const;
    const [byAmount, byTime] = (['amount', 'time'] as const).map((order) =>
      flat(contributionsQuery({ ...PAGE, ...of('net_profit'), signs, order }).sql),
    );
    const rest = `toDecimal256('0.000001', 12) - f.cogs < (SELECT b.revenue FROM days AS b WHERE b.orders = 1`;
    expect(byAmount).to.contain('f.orders = 0 AND f.cogs < 0').and.contain(rest);
    expect(byTime).not.to.contain('order_facts');
  });

  it('reads by amount the orders that reach the amount of the last of as many sales, all after the page before', () => {
    const page = { ...PAGE, ...of('net_revenue') };
    const [first, next, byTime] = (
      [{ order: 'amount' }, { order: 'amount', after: AFTER }, { order: 'time' }] as const
    ).map((order) => flat(contributionsQuery({ ...page, ...order }).sql));
    const least = (isAfter: string): string =>
      flat(`(SELECT b.revenue FROM days AS b WHERE b.orders = 1${isAfter}
        ORDER BY b.revenue DESC LIMIT 1 OFFSET {limit:UInt32} - 1)`);
    const rows = (t: string): string =>
      `FROM (SELECT * FROM days AS d WHERE (d.orders = 1 AND ifNull(d.revenue >= ${t}, true)) OR arrayExists(a -> true AND ifNull(-(a) >= ${t}, true), d.refund_totals)) AS d ARRAY JOIN`;
    expect(first).to.contain(rows(least('')));
    expect(next).to.contain(rows(least(" AND b.revenue < CAST({afterAmount:String}, 'Decimal(76, 6)')")));
    expect(byTime).to.contain('FROM days AS d ARRAY JOIN').and.not.contain('b.revenue');
    expect(contributionsQuery({ ...PAGE, ...of('refunds'), order: 'amount' }).sql).not.to.contain('b.revenue');
  });

  it('takes orders of a gateway and channel, and the rules for their fees', () => {
    const filter = { gateway: "l'or", channel: 'email' };
    const { sql, params } = contributionSumsQuery({ ...of('gateway_fees', filter) });
    const rule = (values: string): string =>
      `CAST('[${values}]', 'Array(Decimal(76, 6))')[transform(d.payment_gateway, ['l\\'or'], [1], 0)]`;
    const parts = [
      `AND d.payment_gateway = {gateway:String} AND (d.placed_day, d.order_id) IN (SELECT a.placed_day,
        a.order_id FROM order_attribution AS a FINAL WHERE a.shop_id = {shop:String} AND a.placed_day IN (SELECT o.placed_day
        FROM order_days AS o WHERE o.shop_id = {shop:String} AND o.day BETWEEN {first:Date} AND {last:Date})
        AND a.last_touch = {channel:String})`,
      `WHERE d.orders = 1 AND (d.has_gateway_fee OR d.payment_gateway IN ['l\\'or'])`,
      `${rule('2.9')} * toDecimal256(d.revenue, 6) * toDecimal256('0.01', 2) + ${rule('0.3')}`,
    ];
    for (const part of parts) expect(flat(sql)).to.contain(flat(part));
    expect(params).to.deep.equal({ ...RANGE, ...filter });
  });

  it('takes actual and estimated fees by one look at the days', () => {
    const { sql } = contributionsQuery({
      ...PAGE,
      ...of('gateway_fees'),
      signs: { fee_actual: 1, fee_estimate: 1 },
      order: 'amount',
    });
    expect(sql.match(/FROM days AS d/g)).to.have.length(1);
  });

  it('reads for a count no prices of the catalog, SKUs of restocked lines alone, and no lines where the figure has none', () => {
    const [costed, others] = [true, false].map((isCosted) =>
      flat(contributionCountsQuery({ ...of('cogs'), isCosted }).sql),
    );
    for (const sql of [costed, others])
      expect(sql).to.contain('AND line_restock AND').and.contain('length(d.quantities)').and.not.contain('c.unit_cost');
    expect(costed).not.to.contain('order_facts');
    expect(others).to.contain('-sum(toInt64(f.lines_without_cost))');
    const { sql } = contributionCountsQuery({ ...of('net_revenue'), isCosted: false });
    expect(sql).not.to.match(/product_costs|line_sku|order_facts/);
  });

  it('sums up of lines those of parts of a unit alone where asked to', () => {
    for (const figure of ['cogs', 'gross_sales'] as const) {
      const sqlOf = (isFractional?: boolean): string => contributionSumsQuery({ ...of(figure), isFractional }).sql;
      expect(sqlOf(true)).to.contain('line_quantity != floor(line_quantity)');
      expect(sqlOf()).not.to.contain('line_quantity != floor(line_quantity)');
    }
  });

  it('counts lines that were sold by the orders, without a look at the days', () => {
    const sql = flat(contributionCountsQuery({ ...of('gross_sales'), isCosted: true }).sql);
    expect(sql).to.contain('FROM orders AS o FINAL').and.not.contain('FROM days');
  });

  it('counts orders and their lines by one look at their rows, and joins no costs of orders with them', () => {
    const [, counts = ''] = flat(contributionCountsQuery({ ...of('earnings'), isCosted: true }).sql).split(' FROM ( ');
    const [ofRows = ''] = counts.split(' UNION ALL ');
    expect(ofRows.match(/FROM order_days AS d FINAL/g)).to.have.length(1);
    for (const term of ['(d.orders = 1)', 'arrayCount(a -> true, d.refund_totals)', 'length(d.quantities)'])
      expect(ofRows).to.contain(term);
    expect(ofRows)
      .to.contain("c.kind = 'gateway_fee' AND c.order_id IN (")
      .and.contain("c.kind = 'fulfillment_cost' AND c.order_id IN (")
      .and.not.contain('JOIN');
  });

  it('reads expenses where a shop has any, or the figure has nothing else', () => {
    const sqlOf = (figure: ExplainableFigure): string =>
      contributionsQuery({ ...PAGE, ...of(figure), isWithoutExpenses: true, order: 'time' }).sql;
    expect(sqlOf('net_profit')).not.to.contain('FROM expenses');
    expect(sqlOf('operating_expenses')).to.contain('FROM expenses');
    expect(contributionsQuery({ ...PAGE, ...of('net_profit'), order: 'time' }).sql).to.contain('FROM expenses');
  });

  it('reads no orders for spend and expenses', () => {
    for (const figure of ['ad_spend', 'operating_expenses'] as const) {
      expect(contributionsQuery({ ...PAGE, ...of(figure), order: 'time' }).sql).not.to.match(
        /order_days|product_costs/,
      );
    }
  });
});
