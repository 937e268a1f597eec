import { Big } from 'big.js';
import { expect } from 'chai';
import { readQuestions } from '../../src/warehouse/bi/questions.js';
import { grouped, MIXED_RANGE, monthOf, percent, sum, useMixedAnalyst, type Api } from '../support/mixed-analyst.js';
import { MIXED_VISITS } from '../support/mixed-shop.js';
import { useService } from '../support/service.js';

const FIGURES = 'orders revenue refunds cogs gateway_fees ad_spend net_profit net_profit_after_expenses'.split(' ');
const STATEMENT = (
  'gross_sales discounts shipping tips duties rounding_adjustment tax_added revenue refunds cogs gateway_fees ' +
  'ad_spend taxes fulfillment_costs operating_expenses earnings'
).split(' ');
const pick = (row: Api, names: readonly string[]): string[] => names.map((name) => row[name] as string);

describe('the questions of an analyst about months, products and channels give the figures of the API', function () {
  this.timeout(240_000);
  const analyst = useMixedAnalyst(useService());
  let sqlOf: Record<string, string>;
  let months: Api[];
  let channels: Api[];
  let products: Api[];

  before(async () => {
    const questions = await readQuestions('clickhouse/views/questions');
    sqlOf = Object.fromEntries(questions.map(({ title, sql }) => [title, sql]));
    const { days } = await analyst.read(
      `/v1/metrics/daily?${MIXED_RANGE}&by=month&include=expenses,statement,coverage`,
    );
    months = (days as Api[]).filter(({ orders }) => orders > 0);
    ({ channels } = await analyst.read(`/v1/attribution?${MIXED_RANGE}`));
    ({ products } = await analyst.read(`/v1/products?${MIXED_RANGE}`));
  });
  const same = (title: string, columns: readonly string[], wanted: Parameters<typeof analyst.same>[2]) =>
    analyst.same(sqlOf[title] ?? '', columns, wanted);
  const isUsed = ({ revenue, ad_spend }: Api): boolean => Number(revenue) + Number(ad_spend) > 0;

  it('profit and the statement by month', async () => {
    const month = (row: Api): string => monthOf(row.date);
    await same(
      'Profit by month',
      ['month', ...FIGURES],
      months.map((row) => [month(row), ...pick(row, FIGURES)]),
    );
    await same(
      'From gross sales to earnings',
      ['month', ...STATEMENT],
      months.map((row) => [month(row), ...pick({ ...row, ...row.statement }, STATEMENT)]),
    );
  });

  it('the coverage of costs, and what has none', async () => {
    await same(
      'Coverage of costs',
      ['month', 'orders', 'cogs_complete_percent', 'gateway_fee_actual_percent', 'tax_present_percent'],
      months.map(({ date, coverage }) => [
        monthOf(date),
        ...pick(coverage, ['orders', 'cogs_complete', 'gateway_fee_actual', 'tax_present']),
      ]),
    );
    const without = products.filter(({ units_without_cost: units }) => Number(units) > 0);
    expect(without.map(({ sku }) => sku)).to.have.members(['unknown', null]);
    await same(
      'Orders without cost',
      ['orders', 'sku', 'units', 'revenue_without_cost'],
      without.map((row) => [1, ...pick(row, ['sku', 'units_without_cost', 'revenue_without_cost'])]),
    );
  });

  it('products', async () => {
    const names = ['sku', 'title', 'revenue', 'refunds', 'cogs', 'gross_profit', 'units_without_cost'];
    const rows = await same(
      'Products by gross profit',
      [...names, 'units'],
      products.map((row) => pick(row, [...names, 'units_sold'])),
    );
    const profits = rows.map(({ gross_profit }) => Number(gross_profit));
    expect(profits).to.deep.equal(profits.toSorted((a, b) => b - a));
    await same(
      'Refund rate by SKU',
      ['refund_rate_percent', 'sku', 'units_sold', 'units_returned'],
      products
        .filter(({ units_refunded: units }) => Number(units) > 0)
        .map((row) => [
          percent(row.units_refunded, row.units_sold),
          ...pick(row, ['sku', 'units_sold', 'units_refunded']),
        ]),
    );
  });

  it('discounts of products, and the ROAS at which a channel breaks even', async () => {
    const discounted = products.filter(({ discounts }) => Number(discounts) > 0);
    const names = ['sku', 'gross_sales', 'discounts', 'gross_profit'];
    await same(
      'Discounts by product',
      [...names, 'units', 'discount_percent', 'gross_profit_without_discounts'],
      discounted.map((row) => [
        ...pick(row, [...names, 'units_sold']),
        percent(row.discounts, row.gross_sales),
        Big(row.gross_profit).plus(row.discounts).toFixed(),
      ]),
    );
    await same(
      'Break-even ROAS of channels',
      ['channel', 'revenue', 'ad_spend', 'profit', 'roas', 'break_even_roas'],
      channels.filter(isUsed).map((row) => {
        const left = Big(row.profit).plus(row.ad_spend);
        return [
          ...pick(row, ['channel', 'revenue', 'ad_spend', 'profit', 'roas']),
          left.gt(0) ? Big(row.revenue).div(left).round(4).toFixed() : null,
        ];
      }),
    );
  });

  it('what channels cost, leave and prove', async () => {
    const columns = ['channel', 'revenue', 'refunds', 'cogs', 'gateway_fees', 'ad_spend'];
    const used = channels.filter(isUsed);
    const labels = ['google_ads', 'email', 'unattributed', 'expenses', 'custom:radio'];
    expect(used.map(({ channel }) => channel)).to.have.members(labels);
    await same(
      'Contribution margin by channel',
      [...columns, 'contribution'],
      used.map((row) => pick(row, [...columns, 'profit'])),
    );
    await same(
      'What channels can prove',
      ['proved_orders', 'proved_revenue', 'proved_percent', 'channel', 'orders', 'revenue'],
      channels
        .filter(({ orders }) => orders > 0)
        .map(({ proved, ...row }) => [
          proved.orders,
          proved.revenue,
          percent(proved.revenue, row.revenue),
          ...pick(row, ['channel', 'orders', 'revenue']),
        ]),
    );
    const byMonth = await Promise.all(
      months.map(async ({ date, to }) => {
        const { channels: rows } = await analyst.read(`/v1/attribution?from=${date}&to=${to}`);
        return (rows as Api[])
          .filter(isUsed)
          .map((row) => [monthOf(date), ...pick(row, ['channel', 'orders', 'revenue', 'ad_spend', 'roas'])]);
      }),
    );
    await same('Advertising by channel', ['month', 'channel', 'orders', 'revenue', 'ad_spend', 'roas'], byMonth.flat());
  });

  it('visits, and orders that none explains', async () => {
    const { losses } = await analyst.read(`/v1/attribution?${MIXED_RANGE}&include=losses`);
    await same(
      'Orders that no visit explains',
      ['month', 'cause', 'orders', 'revenue'],
      grouped(
        losses as Api[],
        ({ date, cause }) => [monthOf(date), cause],
        (group) => [sum(group, 'orders'), sum(group, 'revenue')],
      ),
    );
    const [local] = await analyst.ask("SELECT concat('from=', today - 29, '&to=', today) AS days FROM bi.shop");
    const { channels: recent } = await analyst.read(`/v1/attribution?${String(local?.days)}`);
    const visits = new Map(Object.entries(MIXED_VISITS));
    const counts = (recent as Api[]).filter(({ orders }) => orders > 0);
    const orders = new Map<string, number>(counts.map((row) => [row.channel, row.orders]));
    const rows = await same(
      'Visits and orders by channel',
      ['channel', 'visits', 'orders'],
      [...new Map([...visits, ...orders]).keys()].map((name) => [name, visits.get(name) ?? 0, orders.get(name) ?? 0]),
    );
    expect(rows.find(({ channel }) => channel === 'google_ads')?.orders_per_100_visits).to.equal(50);
  });

  it('weekdays, and weeks compared', async () => {
    const { days } = await analyst.read(`/v1/metrics/daily?${MIXED_RANGE}`);
    await same(
      'Weekdays',
      ['weekday', 'days_with_orders', 'orders', 'revenue', 'net_profit'],
      grouped(
        days as Api[],
        ({ date }) => [((new Date(date).getUTCDay() + 6) % 7) + 1],
        (group) => [
          group.filter(({ orders }) => orders > 0).length,
          ...['orders', 'revenue', 'net_profit'].map((name) => sum(group, name)),
        ],
      ),
    );
    const names = ['orders', 'revenue', 'refunds', 'ad_spend', 'net_profit'];
    const [ranges] = await analyst.ask(
      `SELECT concat('from=', today - 28, '&to=', today - 1) AS last, concat('from=', today - 56, '&to=', today - 29) AS before
       FROM bi.shop`,
    );
    const of = async (weeks: string, range: unknown): Promise<string[]> => {
      const row = await analyst.read(`/v1/metrics?${String(range)}`);
      return [weeks, Big(row.aov).round(2).toFixed(), ...pick(row, names)];
    };
    await same(
      'The last four weeks and those before',
      ['weeks', 'average_order_value', ...names],
      [await of('last four weeks', ranges?.last), await of('the four before', ranges?.before)],
    );
  });
});
