import { expect } from 'chai';
import { paidOrder } from '../support/paid-order.js';
import { useService, type Shop } from '../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const RANGE = 'from=2026-01-28&to=2026-03-10';
const INCLUDED = 'include=expenses,coverage,statement';

describe('GET /v1/metrics/daily by week and month', () => {
  const service = useService();
  let shop: Shop;

  before(async () => {
    shop = await service.shop({ timezone: 'Europe/Berlin' });
    const expense = (external_id: string, fields: object): object => ({
      external_id,
      name: external_id,
      category: 'other',
      amount: '100',
      currency: 'EUR',
      frequency: 'monthly',
      started_on: '2026-01-01',
      ...fields,
    });
    for (const body of [
      expense('rent', {}),
      expense('agency', { frequency: 'weekly', counts_as_ad_spend: true, started_on: '2026-02-04' }),
      expense('packing', { frequency: 'per_order', amount: '1.5', started_on: '2026-02-12', ended_on: '2026-03-03' }),
      expense('dollars', {
        frequency: 'per_order',
        currency: 'USD',
        amount: '2',
        counts_as_ad_spend: true,
        started_on: '2026-02-25',
      }),
    ]) {
      expect((await shop.call('POST', '/v1/costs/expenses', body)).status).to.equal(201);
    }
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'x', percent: '1.7', fixed: '0.3' }],
    });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [
        { channel: 'radio', event_date: '2026-02-11', currency: 'EUR', spend: '31.333333' },
        { channel: 'radio', event_date: '2026-02-11', currency: 'USD', spend: '7' },
      ],
    });
    const orders = Array.from({ length: 40 }, (_, i) => {
      const at = new Date(Date.UTC(2026, 0, 28 + i, 23, 10)).toISOString();
      return paidOrder(`o-${i}`, {
        placed_at: at,
        payment_gateway: 'x',
        line_items: [{ line_id: '1', quantity: '3', unit_price: '3.333333', ...(i % 3 > 0 && { unit_cost: '1.1' }) }],
        total: '9.999999',
        refunds: i % 5 === 0 ? [{ refund_id: 'r', refunded_at: at.replace('T23', 'T22'), total: '1.234567' }] : [],
      });
    });
    const { body } = await shop.call('POST', '/v1/orders', { orders });
    expect(body.accepted, JSON.stringify(body)).to.equal(orders.length);
    await service.settled();
  });

  const read = async (path: string): Promise<any> => {
    const { status, body } = await shop.call('GET', path);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  for (const by of ['week', 'month', 'quarter']) {
    it(`answers for each ${by} what the figures of its days are`, async () => {
      const { days, left_out, currency_note } = await read(`/v1/metrics/daily?${RANGE}&by=${by}&${INCLUDED}`);
      const bounds = days.map(({ date, to }: any) => [date, to]);
      expect(bounds).to.deep.equal(
        by === 'month'
          ? [
              ['2026-01-28', '2026-01-31'],
              ['2026-02-01', '2026-02-28'],
              ['2026-03-01', '2026-03-10'],
            ]
          : by === 'quarter'
            ? [['2026-01-28', '2026-03-10']]
            : [
                ['2026-01-28', '2026-02-01'],
                ['2026-02-02', '2026-02-08'],
                ['2026-02-09', '2026-02-15'],
                ['2026-02-16', '2026-02-22'],
                ['2026-02-23', '2026-03-01'],
                ['2026-03-02', '2026-03-08'],
                ['2026-03-09', '2026-03-10'],
              ],
      );
      for (const { date, to, ...figures } of days) {
        const whole = await read(`/v1/metrics?from=${date}&to=${to}&${INCLUDED}`);
        expect([whole.from, whole.to]).to.deep.equal([date, to]);
        const { currency, currency_note: note, left_out: spend } = whole;
        const shared = {
          currency,
          ...(note !== undefined && { currency_note: note }),
          ...(spend && { left_out: spend }),
        };
        expect({ from: date, to, ...shared, ...figures }, `${date} to ${to}`).to.deep.equal(whole);
      }
      const range = await read(`/v1/metrics?${RANGE}&${INCLUDED}`);
      expect([left_out, currency_note]).to.deep.equal([range.left_out, range.currency_note]);
    });
  }

  it('leaves out per-order expenses in another currency by the orders of their days', async () => {
    const { left_out } = await read(`/v1/metrics?${RANGE}`);
    // From 25 February to 9 March, local days: 13 orders at 2.
    expect(left_out).to.deep.equal(
      [
        { channel: 'custom:radio', currency: 'USD', ad_spend: '7.00' },
        { channel: 'expenses', currency: 'USD', ad_spend: '26.00' },
      ].sort((a, b) => (a.channel < b.channel ? -1 : 1)),
    );
  });

  it('is by day unless asked otherwise, and exports what it answers', async () => {
    const byDay = await read(`/v1/metrics/daily?${RANGE}`);
    expect(byDay.days).to.have.length(42);
    expect(byDay).to.deep.equal(await read(`/v1/metrics/daily?${RANGE}&by=day`));
    for (const [by, columns] of [
      ['month', 'date,to,revenue'],
      ['day', 'date,revenue'],
    ]) {
      const headers = { authorization: `Bearer ${shop.key}`, accept: 'text/csv' };
      const answer = await fetch(`${service.url}/v1/metrics/daily?${RANGE}&by=${by}`, { headers });
      const [head, ...rows] = (await answer.text()).trim().split('\r\n');
      expect(head).to.match(new RegExp(`^${columns},`));
      expect(rows).to.have.length(by === 'day' ? 42 : 3);
    }
  });

  it('may be three years by longer periods than days, and 366 days else', async () => {
    const years = 'from=2023-03-10&to=2026-03-11';
    const { days } = await read(`/v1/metrics/daily?${years}&by=quarter`);
    expect(days).to.have.length(13);
    for (const [range, by, most] of [
      [years, '', 366],
      [years, '&by=day', 366],
      ['from=2023-03-10&to=2026-03-12', '&by=month', 1_098],
    ]) {
      const { status, body } = await shop.call('GET', `/v1/metrics/daily?${range}${by}`);
      expect([status, body.errors[0].code], String(by)).to.deep.equal([400, 'range_too_long']);
      expect(body.errors[0].message).to.contain(`at most ${most} are allowed`);
      expect(body.errors[0].message.includes('by=week'), String(by)).to.equal(most === 366);
    }
  });

  it('refuses other periods', async () => {
    for (const by of ['', 'year', 'Week', 'week&by=month']) {
      const { status, body } = await shop.call('GET', `/v1/metrics/daily?${RANGE}&by=${by}`);
      expect([status, body.errors.map((error: any) => `${error.code} ${error.field}`)], by).to.deep.equal([
        400,
        ['invalid_value by'],
      ]);
    }
  });
});
