import { PassThrough } from 'node:stream';
import { Big } from 'big.js';
import { expect } from 'chai';
import { readDemoMonth, type DemoMonth } from '../../src/cli/demo/demo-month.js';
import { runDemo } from '../../src/cli/demo/demo.js';
import { readQuestions, type Question } from '../../src/warehouse/bi/questions.js';
import { analystOf, type Analyst } from '../support/bi-proxy.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

type Row = Record<string, string | number | null>;
const RANGE = 'from=2010-12-01&to=2010-12-31';

describe('questions of an analyst, on a real month', function () {
  this.timeout(240_000);
  const shop = 'questions';
  const service = useService();
  let month: DemoMonth;
  let metrics: Record<string, string>;
  let questions: Question[];
  let ask: Analyst;

  before(async () => {
    ask = await analystOf(shop, await sharedBiProxy(), service.stores.warehouse);
    const { exitCode } = await runDemo({
      url: service.url,
      lendKey: async () => ({ key: await service.key(shop), giveBack: () => Promise.resolve() }),
      stdout: new PassThrough().resume(),
      stderr: new PassThrough().resume(),
      signal: new AbortController().signal,
    });
    expect(exitCode).to.equal(0);
    month = await readDemoMonth('card');
    questions = await readQuestions('clickhouse/views/questions');
    const key = await service.key(shop);
    metrics = (await service.call('GET', `/v1/metrics?${RANGE}&include=expenses`, { key })).body;
  });

  const answer = async (title: string): Promise<Row[]> => {
    const question = questions.find((candidate) => candidate.title === title);
    if (question === undefined) throw new Error(`there is no question "${title}"`);
    return ask<Row>(question.sql);
  };
  const december = (rows: readonly Row[]): Row[] => rows.filter((row) => row.month === '2010-12-01');
  const total = (rows: readonly Row[], column: string): string =>
    rows.reduce((sum, row) => sum.plus(String(row[column])), Big(0)).toFixed();
  const api = (name: string): string => Big(String(metrics[name])).toFixed();

  it('are ten, each with a title, a sentence and SQL that reads nothing but bi', () => {
    expect(questions.length).to.equal(10);
    for (const { title, description, sql } of questions) {
      expect(title, sql).to.match(/^[A-Z]/);
      expect(description).to.match(/\.$/);
      expect([...sql.matchAll(/FROM (\w+)/g)].filter(([, name]) => name !== 'bi')).to.deep.equal([]);
    }
  });

  it('profit by month is that of the API', async () => {
    const [row = {}] = december(await answer('Profit by month'));
    for (const name of ['orders', 'revenue', 'refunds', 'cogs', 'gateway_fees', 'ad_spend', 'net_profit']) {
      expect(Big(String(row[name])).toFixed(), name).to.equal(api(name));
    }
    expect(Big(String(row.net_profit_after_expenses)).toFixed()).to.equal(api('net_profit_after_expenses'));
  });

  it('refund rate by SKU counts the units of the orders', async () => {
    const units = new Map<string, { sold: Big; returned: Big }>();
    for (const order of month.orders) {
      for (const line of order.line_items) {
        const of = units.get(line.sku ?? '') ?? { sold: Big(0), returned: Big(0) };
        units.set(line.sku ?? '', of);
        of.sold = of.sold.plus(line.quantity);
        for (const back of order.refunds.flatMap((refund) => refund.line_items)) {
          if (back.line_id === line.line_id) of.returned = of.returned.plus(back.quantity);
        }
      }
    }
    const rows = await answer('Refund rate by SKU');
    expect(rows.length).to.equal(50);
    for (const row of rows) {
      const { sold, returned } = units.get(String(row.sku)) ?? {};
      expect([row.units_sold, row.units_returned]).to.deep.equal([sold?.toFixed(), returned?.toFixed()]);
    }
    const most = [...units.values()].map(({ returned }) => Number(returned)).sort((a, b) => b - a);
    expect(rows.map((row) => Number(row.units_returned))).to.deep.equal(most.slice(0, 50));
  });

  it('new and returning customers are all orders, once', async () => {
    const rows = december(await answer('New and returning customers'));
    expect(rows.map((row) => row.customer)).to.deep.equal(['new', 'returning', 'unknown']);
    expect([total(rows, 'orders'), total(rows, 'revenue')]).to.deep.equal([api('orders'), api('revenue')]);
    const customers = new Set(month.orders.map((order) => order.customer?.id).filter((id) => id !== undefined));
    expect(rows[0]?.orders).to.equal(String(customers.size));
  });

  it('contribution margin by channel adds up to the API’s figures', async () => {
    const rows = (await answer('Contribution margin by channel')).filter((row) => row.channel !== 'expenses');
    const fixed = Big(930);
    expect(total(rows, 'revenue')).to.equal(api('revenue'));
    expect(total(rows, 'cogs')).to.equal(api('cogs'));
    expect(total(rows, 'ad_spend')).to.equal(Big(api('ad_spend')).minus(fixed).toFixed());
    const left = Big(api('net_revenue')).minus(api('cogs')).minus(api('ad_spend')).plus(fixed);
    expect(total(rows, 'contribution')).to.equal(left.toFixed());
  });

  it('coverage of costs and orders without cost agree', async () => {
    const [coverage = {}] = december(await answer('Coverage of costs'));
    const without = await answer('Orders without cost');
    const bare = month.orders.filter((order) => order.line_items.some((line) => line.sku === undefined));
    expect(without.map((row) => row.sku)).to.deep.equal(bare.length === 0 ? [] : [null]);
    const complete = Math.round((1 - bare.length / month.orders.length) * 10_000) / 100;
    expect(coverage).to.deep.include({ cogs_complete_percent: complete, gateway_fee_actual_percent: 0 });
    expect(coverage.orders).to.equal(api('orders'));
  });

  it('products by gross profit are the best first', async () => {
    const rows = await answer('Products by gross profit');
    const profits = rows.map((row) => Number(row.gross_profit));
    expect(rows.length).to.equal(50);
    expect(profits).to.deep.equal(profits.toSorted((a, b) => b - a));
  });

  it('days until the refund hold all refunds', async () => {
    const rows = await answer('Days until the refund');
    expect(total(rows, 'refunded')).to.equal(api('refunds'));
    expect(rows.every((row) => Number(row.weeks_after_order) <= 4)).to.equal(true);
  });

  it('weekdays hold all orders, and none on a Saturday', async () => {
    const rows = await answer('Weekdays');
    expect([total(rows, 'orders'), total(rows, 'revenue')]).to.deep.equal([api('orders'), api('revenue')]);
    expect(rows.find((row) => row.weekday === 6)?.orders ?? '0').to.equal('0');
  });

  it('advertising by channel is that of the API', async () => {
    const rows = december(await answer('Advertising by channel'));
    const key = await service.key(shop);
    const { body } = await service.call('GET', `/v1/attribution?${RANGE}`, { key });
    const wanted = (body.channels as Row[])
      .map((row) => [row.channel, Big(String(row.revenue)).toFixed(), Big(String(row.ad_spend)).toFixed()])
      .filter(([, revenue, spend]) => revenue !== '0' || spend !== '0');
    const got = rows.map((row) => [
      row.channel,
      Big(String(row.revenue)).toFixed(),
      Big(String(row.ad_spend)).toFixed(),
    ]);
    expect(got.sort()).to.deep.equal(wanted.sort());
    expect(total(rows, 'ad_spend')).to.equal(api('ad_spend'));
  });
});
