import { expect } from 'chai';
import { analystsOf, canonical } from '../support/bi-proxy.js';
import { explained } from '../support/explained.js';
import { useShop, useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

const RANGE = 'from=2026-03-01&to=2026-03-12';

const FIGURES = ['mer', 'ad_spend', 'operating_expenses', 'net_profit', 'blended_roas', 'earnings'];

interface Change {
  date: string;
  figure: string;
  before: string;
  after: string;
  causes: { kind: string; receipts?: string[] }[];
}

/** Figures by hand: 0.9217 holds on the 2nd and 3rd, 0.920456789012 from the 4th to the 11th, nothing on the 1st and 12th. */
describe('spend and expenses in another currency', () => {
  const service = useService();
  const shop = useShop(service, { timezone: 'UTC' });
  const source = { platform: 'shopify', currency: 'EUR', timezone: 'UTC' };

  const get = async (path: string) => {
    const { status, body } = await shop.call('GET', path);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const rows = (sql: string) => analystsOf(service.stores, sharedBiProxy)(shop, sql);
  /** What every read says of the ad spend and expenses: they must agree. */
  const known = async () => {
    const metrics = await get(`/v1/metrics?${RANGE}&include=expenses,statement`);
    const months = await get(`/v1/metrics/daily?${RANGE}&by=month&include=expenses,statement`);
    const channels = await get(`/v1/attribution?${RANGE}`);
    expect(months.days[0].ad_spend).to.equal(metrics.ad_spend);
    expect(months.days[0].statement.earnings).to.equal(metrics.statement.earnings);
    for (const answer of [months, channels]) {
      expect(answer.converted).to.deep.equal(metrics.converted);
      expect(answer.left_out).to.deep.equal(metrics.left_out);
    }
    for (const figure of ['ad_spend', 'operating_expenses']) {
      expect((await explained(shop, `figure=${figure}&${RANGE}`, 3)).total, figure).to.equal(metrics[figure]);
    }
    const ofDays = `WHERE day BETWEEN '2026-03-01' AND '2026-03-12'`;
    const { body: daily } = await shop.call('GET', `/v1/metrics/daily?${RANGE}&include=expenses,statement`);
    const views = await rows(`SELECT * FROM bi.daily_metrics ${ofDays} ORDER BY day`);
    expect(views.map((row) => [row.day, ...FIGURES.map((figure) => canonical(row[figure] ?? null))])).to.deep.equal(
      daily.days
        .map(({ date, statement, ...day }: Record<string, object>) => ({ day: date, ...day, ...statement }))
        .filter((day: Record<string, string>) => views.some((row) => row.day === day.day))
        .map((day: Record<string, string>) => [day.day, ...FIGURES.map((figure) => day[figure])]),
    );
    return { metrics, channels };
  };

  before(async () => {
    const spend = (channel: string, day: string, currency: string, amount: string) => ({
      channel,
      event_date: `2026-03-${day}`,
      currency,
      spend: amount,
    });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [
        spend('radio', '02', 'EUR', '10'),
        spend('google', '02', 'USD', '100.123456'),
        spend('google', '02', 'EUR', '0.000001'),
        spend('google', '03', 'USD', '50'),
        spend('google', '11', 'USD', '7.5'),
        spend('google', '12', 'USD', '33.333333'),
        spend('radio', '02', 'GBP', '5'),
      ],
    });
    const expense = { name: 'Tool', category: 'tools', currency: 'USD', started_on: '2026-03-01' };
    for (const one of [
      { external_id: 'tool', amount: '31', frequency: 'monthly', ended_on: '2026-03-03' },
      { external_id: 'agency', amount: '0.5', frequency: 'per_order', counts_as_ad_spend: true },
      { external_id: 'share', amount: '10', frequency: 'percent_of_revenue' },
    ]) {
      const { status } = await shop.call('POST', '/v1/costs/expenses', { ...expense, ...one });
      expect(status).to.be.oneOf([200, 201]);
    }
    const order = (day: string) => ({
      order_id: `order-${day}`,
      placed_at: `2026-03-${day}T12:00:00Z`,
      updated_at: `2026-03-${day}T12:00:00Z`,
      currency: 'EUR',
      status: 'paid',
      total: '100',
      line_items: [{ line_id: '1', quantity: '1', unit_price: '100' }],
    });
    await shop.call('POST', '/v1/orders', { orders: ['01', '02', '04'].map(order) });
    const { body } = await shop.call('PUT', '/v1/rates', {
      rates: [
        { currency: 'USD', day: '2026-03-02', rate: '0.9217' },
        { currency: 'USD', day: '2026-03-04', rate: '0.920456789012' },
      ],
    });
    expect(body.accepted).to.equal(2);
    await service.settled();
  });

  it('is left out as long as the source does not say otherwise', async () => {
    const { metrics } = await known();
    expect(metrics).to.include({ ad_spend: '10.000001', operating_expenses: '0.00' });
    expect(metrics).not.to.have.property('converted');
    expect(metrics.left_out).to.deep.equal([
      { channel: 'custom:radio', currency: 'GBP', ad_spend: '5.00' },
      { channel: 'custom:google', currency: 'USD', ad_spend: '190.956789' },
      { channel: 'expenses', currency: 'USD', ad_spend: '1.50' },
    ]);
  });

  it('counts at the rate of its day, else at the newest of the seven days before', async () => {
    const { body } = await shop.call('PUT', '/v1/source', { ...source, convert_spend: true });
    expect(body).to.include({ convert_spend: true });
    const { metrics, channels } = await known();
    // 100.123456 × 0.9217 + 50 × 0.9217 + 7.5 × 0.920456789012 = 92.2837893952 + 46.085 + 6.90342591759
    // 0.5 an order: on the 2nd × 0.9217, on the 4th × 0.920456789012 = 0.46085 + 0.460228394506
    expect(metrics.converted).to.deep.equal([
      { channel: 'custom:google', currency: 'USD', amount: '157.623456', ad_spend: '145.272215' },
      { channel: 'expenses', currency: 'USD', amount: '1.00', ad_spend: '0.921078' },
    ]);
    // 10 + 0.000001 + 145.27221531279 + 0.921078394506, rounded once
    expect(metrics.ad_spend).to.equal('156.193295');
    // 31 a month: 1 a day, on the 2nd and the 3rd
    expect(metrics.operating_expenses).to.equal('1.8434');
    expect(metrics.left_out).to.deep.equal([
      { channel: 'custom:radio', currency: 'GBP', ad_spend: '5.00' },
      { channel: 'custom:google', currency: 'USD', ad_spend: '33.333333' },
      { channel: 'expenses', currency: 'USD', ad_spend: '0.50' },
    ]);
    expect(metrics.currency_note).to.equal(
      'Not in EUR and therefore left out: GBP (custom:radio); USD (custom:google, expenses).',
    );
    // Channels add up to the figure, so one of them has what rounding leaves over.
    const spendOf = (name: string) =>
      channels.channels.find(({ channel }: { channel: string }) => channel === name).ad_spend;
    expect(['google_ads', 'custom:radio', 'expenses'].map(spendOf)).to.deep.equal(['145.272216', '10.00', '0.921079']);
  });

  it('says the rate of each entry', async () => {
    const { entries } = await get(`/v1/metrics/explain?figure=ad_spend&${RANGE}`);
    const rate = { currency: 'USD', day: '2026-03-02', rate: '0.9217' };
    const later = { currency: 'USD', day: '2026-03-04', rate: '0.920456789012' };
    const told = entries.map(({ kind, date, amount, rate = null }: Record<string, unknown>) => [
      kind,
      date,
      amount,
      rate,
    ]);
    expect(told).to.have.deep.members([
      ['spend', '2026-03-11', '6.903426', later],
      ['expense', '2026-03-04', '0.460228', later],
      ['spend', '2026-03-03', '46.085', rate],
      ['spend', '2026-03-02', '92.283789', rate],
      ['spend', '2026-03-02', '0.000001', null],
      ['spend', '2026-03-02', '10.00', null],
      ['expense', '2026-03-02', '0.46085', rate],
      ['rounding', '2026-03-12', '0.000001', null],
    ]);
  });

  it('stands beside its rate in the views of analysts, and campaigns and channels sum it', async () => {
    const seen = await rows(
      'SELECT day, channel, currency, spend, in_figures, ad_spend, rate, rate_day FROM bi.ad_spend ORDER BY day, channel, spend',
    );
    const own = (amount: string, counted = amount) => [amount, true, counted, null, null];
    const at = (amount: string, counted: string, rate: string, day: string) => [amount, true, counted, rate, day];
    const table = [
      ['2026-03-02', 'custom:google', 'EUR', ...own('0.000001')],
      ['2026-03-02', 'custom:google', 'USD', ...at('100.123456', '92.283789', '0.9217', '2026-03-02')],
      ['2026-03-02', 'custom:radio', 'GBP', '5.00', false, null, null, null],
      ['2026-03-02', 'custom:radio', 'EUR', ...own('10.00')],
      ['2026-03-03', 'custom:google', 'USD', ...at('50.00', '46.085', '0.9217', '2026-03-02')],
      ['2026-03-11', 'custom:google', 'USD', ...at('7.50', '6.903426', '0.920456789012', '2026-03-04')],
      ['2026-03-12', 'custom:google', 'USD', '33.333333', false, null, null, null],
    ];
    expect(seen.map((row) => Object.values(row).map(canonical))).to.deep.equal(table);
    const channels = await rows(
      "SELECT channel, sum(ad_spend) AS spend FROM bi.daily_channels WHERE model = 'linear' AND ad_spend != 0 GROUP BY channel ORDER BY spend",
    );
    // Days are rounded by themselves here.
    expect(channels.map((row) => Object.values(row).map(canonical))).to.deep.equal([
      ['expenses', '0.921078'],
      ['custom:radio', '10.00'],
      ['google_ads', '145.272216'],
    ]);
    const expenses = await rows('SELECT external_id, in_figures FROM bi.expenses ORDER BY external_id');
    expect(expenses.map((row) => Object.values(row))).to.deep.equal([
      ['agency', true],
      ['share', false],
      ['tool', true],
    ]);
  });

  it('is why a later push of a rate changes the days that it holds on, and what was known before stays readable', async () => {
    const before = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { body } = await shop.call('PUT', '/v1/rates', {
      rates: [
        { currency: 'USD', day: '2026-03-10', rate: '2' },
        { currency: 'USD', day: '2026-03-04', rate: null },
        { currency: 'GBP', day: '2026-03-02', rate: '1.2' },
      ],
    });
    await service.settled();
    const { metrics } = await known();
    // google: 92.2837893952 + 46.085 + 7.5 × 2 + 33.333333 × 2; radio: 5 × 1.2; agency: 0.46085 twice
    expect(metrics.converted).to.deep.equal([
      { channel: 'custom:radio', currency: 'GBP', amount: '5.00', ad_spend: '6.00' },
      { channel: 'custom:google', currency: 'USD', amount: '190.956789', ad_spend: '220.035455' },
      { channel: 'expenses', currency: 'USD', amount: '1.00', ad_spend: '0.9217' },
    ]);
    const then = await get(`/v1/metrics?${RANGE}&as_of=${before}`);
    expect(then).to.include({ ad_spend: '156.193295' });
    const { restatements } = await get(`/v1/restatements?${RANGE}&after=${body.receipt}`);
    const changed = restatements
      .filter(({ figure, causes }: Change) => {
        return figure === 'ad_spend' && causes.some(({ receipts = [] }) => receipts.includes(body.receipt));
      })
      .map(({ date, before, after, causes }: Change) => [date, before, after, causes[0]?.kind]);
    expect(changed).to.deep.equal([
      ['2026-03-02', '102.74464', '108.74464', 'rates'],
      ['2026-03-04', '0.460228', '0.46085', 'rates'],
      ['2026-03-11', '6.903426', '15.00', 'rates'],
      ['2026-03-12', '0.00', '66.666666', 'rates'],
    ]);
  });
});
