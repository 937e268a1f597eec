import { expect } from 'chai';
import { attributedShop, day, iso, MINUTE, range, type AttributedShop } from '../support/attributed-shop.js';
import { analystsOf, type BiRow } from '../support/bi-proxy.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

const NOW = Date.now();
const TODAY = day(NOW);

describe('facts of bi about visits, customers and products', () => {
  const service = useService();
  let shop: AttributedShop;
  let ask: (sql: string) => Promise<BiRow[]>;

  before(async () => {
    shop = await attributedShop(service);
    const rows = analystsOf(service.stores, sharedBiProxy);
    ask = (sql) => rows(shop.shop, sql);
    const fees = { rules: [{ payment_gateway: 'Card', percent: '10', fixed: '0.5' }] };
    await shop.shop.call('PUT', '/v1/costs/gateway-fees', fees);
    await shop.collect(
      {
        type: 'page_view',
        event_id: 'landing',
        ts: iso(NOW - 60 * MINUTE),
        url: 'https://www.shop.example.com/sale?utm_source=news&utm_medium=email&utm_campaign=spring',
        referrer: '',
      },
      { type: 'page_view', ts: iso(NOW - 5 * MINUTE), url: 'https://shop.example.com/?gclid=1', event_id: 'ad' },
      { type: 'purchase', order_id: 'o1', ts: iso(NOW - MINUTE), url: 'https://shop.example.com/thanks' },
    );
    const order = { customer: { id: 'c1' }, payment_gateway: 'Card', placed_at: iso(NOW) };
    const facts = { country: 'at', sales_channel: 'Web', discount_codes: ['A', 'a', 'B'], tags: ['VIP'] };
    const line = { line_id: '1', quantity: '2', unit_price: '50.00', sku: 'A', title: 'Mug', unit_cost: '20' };
    await shop.pushOrder({ ...order, ...facts, order_id: 'o1', line_items: [line] });
    await shop.pushOrder({ ...order, order_id: 'o2', total: '40.00' });
    const back = { line_id: '1', quantity: '0.5' };
    const refund = { refunded_at: iso(NOW), total: '0', line_items: [back] };
    const refunds = ['r1', 'r2'].map((refund_id) => ({ ...refund, refund_id }));
    await shop.pushOrder({ ...order, order_id: 'o3', customer: undefined, total: '7.00', refunds });
    await service.settled();
  });

  it('touches are the visits that an order is credited to', async () => {
    const touches = await ask('SELECT * FROM bi.touches ORDER BY number');
    expect(
      touches.map((row) => [
        row.order_id,
        row.number,
        row.of_touches,
        row.channel,
        row.evidence,
        row.campaign,
        row.event_id,
      ]),
    ).to.deep.equal([
      ['o1', 1, 2, 'email', 'claimed', 'spring', 'landing'],
      ['o1', 2, 2, 'google_ads', 'proved', null, 'ad'],
    ]);
    expect(touches.map((row) => [Number(row.is_first), Number(row.is_last)])).to.deep.equal([
      [1, 0],
      [0, 1],
    ]);
    const [joined] = await ask(
      `SELECT e.utm_campaign AS campaign FROM bi.touches AS t INNER JOIN bi.events AS e ON t.event_id = e.event_id
       WHERE t.is_first`,
    );
    expect(joined?.campaign).to.equal('spring');
  });

  it('orders and their profit have their country, sales channel, codes and tags', async () => {
    for (const view of ['orders', 'order_profit']) {
      const rows = await ask(
        `SELECT order_id, country, sales_channel, discount_codes, tags FROM bi.${view} ORDER BY order_id LIMIT 2`,
      );
      expect(rows, view).to.deep.equal([
        { order_id: 'o1', country: 'AT', sales_channel: 'Web', discount_codes: ['A', 'B'], tags: ['VIP'] },
        { order_id: 'o2', country: null, sales_channel: null, discount_codes: [], tags: [] },
      ]);
    }
  });

  it('profit of orders has their customer, gateway, sales before discounts, returned units and whether the tax is known', async () => {
    const rows = await ask(
      `SELECT order_id, customer_id, payment_gateway, gateway, gross_sales, discounts, refunded_units, tax_known
       FROM bi.order_profit ORDER BY order_id LIMIT 3`,
    );
    const ofBoth = { customer_id: 'c1', payment_gateway: 'Card', gateway: 'card', discounts: '0', tax_known: 0 };
    expect(rows).to.deep.equal([
      { order_id: 'o1', gross_sales: '100', refunded_units: '0', ...ofBoth },
      { order_id: 'o2', gross_sales: '40', refunded_units: '0', ...ofBoth },
      { order_id: 'o3', gross_sales: '7', refunded_units: '1', ...ofBoth, customer_id: null },
    ]);
  });

  it('sessions have their landing, campaign and order', async () => {
    const sessions = await ask(
      'SELECT landing_host, landing_path, utm_source, utm_campaign, order_id, day = on_day AS same FROM bi.sessions ORDER BY session',
    );
    expect(sessions).to.deep.equal([
      {
        landing_host: 'shop.example.com',
        landing_path: '/sale',
        utm_source: 'news',
        utm_campaign: 'spring',
        order_id: null,
        same: 1,
      },
      {
        landing_host: 'shop.example.com',
        landing_path: '/',
        utm_source: '',
        utm_campaign: '',
        order_id: 'o1',
        same: 1,
      },
    ]);
  });

  it('sessions count each event once, and of an id that is sent again the first event alone', async () => {
    const other = await attributedShop(service);
    const first = { type: 'page_view', event_id: 'one', url: 'https://shop.example.com/' };
    await other.collect({ ...first, ts: iso(NOW - 90 * MINUTE) });
    await service.settled();
    await other.collect({ ...first, ts: iso(NOW - 5 * MINUTE), url: 'https://shop.example.com/?gclid=2' });
    await other.collect({ ...first, ts: iso(NOW - 5 * MINUTE), anon_id: 'another' });
    await service.settled();
    await other.collect({ ...first, ts: iso(NOW - 4 * MINUTE), event_id: 'two', anon_id: 'another' });
    await service.settled();
    const rows = analystsOf(service.stores, sharedBiProxy);
    expect(
      await rows(other.shop, 'SELECT anon_id, session, events, channel FROM bi.sessions ORDER BY anon_id'),
    ).to.deep.equal([
      { anon_id: 'another', session: '1', events: '1', channel: 'direct' },
      { anon_id: 'visitor', session: '1', events: '1', channel: 'direct' },
    ]);
    expect(await rows(other.shop, 'SELECT event_id, anon_id FROM bi.events ORDER BY event_id')).to.deep.equal([
      { event_id: 'one', anon_id: 'visitor' },
      { event_id: 'two', anon_id: 'another' },
    ]);
  });

  it('days of daily_metrics are those of the API, and end today', async () => {
    const other = await attributedShop(service);
    const at = (days: number): string => day(NOW + days * 1440 * MINUTE);
    const expense = { name: 'n', category: 'software', currency: 'EUR', counts_as_ad_spend: false, ended_on: null };
    for (const [external_id, frequency, started_on, amount] of [
      ['rent', 'monthly', at(-3), '310.00'],
      ['fair', 'one_time', at(2), '50.00'],
      ['later', 'yearly', at(1), '365.00'],
    ] as const)
      await other.shop.call('POST', '/v1/costs/expenses', { ...expense, external_id, frequency, started_on, amount });
    const rows = analystsOf(service.stores, sharedBiProxy);
    const seen = await rows(
      other.shop,
      'SELECT on_day AS date, toFloat64(operating_expenses) AS amount FROM bi.daily_metrics ORDER BY day',
    );
    const { body } = await other.shop.call('GET', `/v1/metrics/daily?from=${at(-3)}&to=${at(3)}&include=expenses`);
    const wanted = (body.days as { date: string; operating_expenses: string }[]).map((row) => ({
      date: row.date,
      amount: Number(row.operating_expenses),
    }));
    expect(wanted.every(({ amount }) => amount > 0)).to.equal(true);
    expect(seen).to.deep.equal(wanted.slice(0, 4));
  });

  it('customers have their orders and profit, which order_profit adds up to', async () => {
    const [customer, ...others] = await ask(
      `SELECT customer_id, orders, toString(revenue) AS revenue, toString(profit) AS profit, first_order_day, cohort_month, currency
       FROM bi.customers`,
    );
    expect(others).to.deep.equal([]);
    expect(customer).to.deep.equal({
      customer_id: 'c1',
      orders: '2',
      revenue: '140',
      // Fees of 10.5 and 4.5, costs of 40.
      profit: '85',
      first_order_day: TODAY,
      cohort_month: `${TODAY.slice(0, 7)}-01`,
      currency: 'EUR',
    });
  });

  it('products, the shop, its fee rules and the calendar are there', async () => {
    const products = await ask(
      'SELECT sku, title, toString(units_sold) AS units, toString(gross_profit) AS gain, currency FROM bi.products ORDER BY sku NULLS LAST',
    );
    expect(products[0]).to.deep.equal({ sku: 'A', title: 'Mug', units: '2', gain: '60', currency: 'EUR' });
    expect(await ask('SELECT currency, timezone, today FROM bi.shop')).to.deep.equal([
      { currency: 'EUR', timezone: 'UTC', today: day(Date.now()) },
    ]);
    expect(
      await ask('SELECT payment_gateway, gateway, toString(percent) AS percent, currency FROM bi.fee_rules'),
    ).to.deep.equal([{ payment_gateway: 'Card', gateway: 'card', percent: '10', currency: 'EUR' }]);
    const [calendar] = await ask(
      `SELECT count() = uniqExact(day) AS once, countIf(on_day = '${TODAY}') AS today, min(weekday) AS first, max(weekday) AS last FROM bi.calendar`,
    );
    expect(calendar).to.deep.equal({ once: 1, today: '1', first: 1, last: 7 });
  });

  it('losses are those of the API', async () => {
    const { body } = await shop.shop.call('GET', `/v1/attribution?${range()}&include=losses`);
    const losses = await ask(
      'SELECT on_day AS date, cause, orders, toString(revenue) AS revenue FROM bi.losses ORDER BY cause',
    );
    expect(losses.map((row) => [row.date, row.cause, Number(row.orders), Number(row.revenue)])).to.deep.equal(
      body.losses.map((row: Record<string, unknown>) => [row.date, row.cause, row.orders, Number(row.revenue)]),
    );
    const [sums] = await ask(
      `SELECT (SELECT sum(orders) FROM bi.losses) = (SELECT sum(orders) FROM bi.daily_channels
         WHERE model = 'last_touch' AND channel = 'unattributed') AS same`,
    );
    expect(sums?.same).to.equal(1);
  });

  it('a LEFT JOIN without a match is NULL', async () => {
    const [joined] = await ask(
      `SELECT count(p.orders) AS matched, min(p.day) AS day FROM bi.calendar AS c
       LEFT JOIN bi.daily_metrics AS p ON c.day = p.day WHERE c.day = '${day(NOW + 30 * 1440 * MINUTE)}'`,
    );
    expect(joined).to.deep.equal({ matched: '0', day: null });
  });

  it('a day that a tool truncates under its own name filters by on_day', async () => {
    const [month] = await ask(
      `SELECT toStartOfMonth(day) AS day, sum(orders) AS orders FROM bi.daily_metrics WHERE on_day = '${TODAY}' GROUP BY day`,
    );
    expect(month?.orders).to.equal('3');
  });

  it('every view can be read whole', async () => {
    const views = await ask("SELECT name FROM system.tables WHERE database = 'bi'");
    expect(views.length).to.be.greaterThan(20);
    for (const { name } of views) await ask(`SELECT * FROM bi.${String(name)} LIMIT 3`);
  });
});
