import { expect } from 'chai';
import { useFreshShop, useService } from '../support/service.js';

const PATH = '/v1/costs/expenses';

const expense = (fields: Record<string, unknown> = {}) => ({
  external_id: 'rent',
  name: 'Rent',
  category: 'other',
  amount: '310',
  currency: 'EUR',
  frequency: 'monthly',
  started_on: '2026-01-01',
  ...fields,
});

describe('expenses', () => {
  const service = useService();
  const shop = useFreshShop(service);

  const metrics = async (from: string, to = from) =>
    (await shop.call('GET', `/v1/metrics?from=${from}&to=${to}&include=expenses`)).body;

  it('accrues every frequency by day, exactly, and shows a change at once', async () => {
    await shop.call('POST', '/v1/orders', {
      orders: ['1', '2'].map((id) => ({
        order_id: id,
        placed_at: '2026-02-10T12:00:00Z',
        currency: 'EUR',
        status: 'paid',
        line_items: [{ line_id: '1', quantity: '1', unit_price: '100' }],
        total: '100',
      })),
    });
    await service.settled();
    const ids: [string, string][] = [
      ['monthly', '100'],
      ['weekly', '100'],
      ['yearly', '100'],
      ['one_time', '100'],
      ['per_order', '0.5'],
      ['percent_of_revenue', '2.5'],
    ];
    for (const [frequency, amount] of ids) {
      const body = expense({
        external_id: frequency,
        frequency,
        amount,
        started_on: '2026-02-10',
        ended_on: '2026-02-11',
      });
      await shop.call('POST', PATH, body);
    }
    // 100/28 + 100/7 + 100/365 + 100 + 2 × 0.5 + 2.5 % of 200
    expect(await metrics('2026-02-10')).to.include({ operating_expenses: '124.131115', ad_spend: '0.00' });
    expect(await metrics('2026-02-11')).to.include({ operating_expenses: '18.131115' });
    expect(await metrics('2026-02-12')).to.include({ operating_expenses: '0.00' });
    // Rounded once: twice the daily amounts, not the sum of rounded ones.
    const both = await metrics('2026-02-10', '2026-02-28');
    expect(both).to.include({ operating_expenses: '142.262231', net_profit_after_expenses: '57.737769' });

    await shop.call(
      'PATCH',
      `${PATH}/one_time`,
      expense({
        frequency: 'one_time',
        amount: '1',
        external_id: 'one_time',
        counts_as_ad_spend: true,
        started_on: '2026-02-10',
      }),
    );
    expect(await metrics('2026-02-10')).to.include({
      operating_expenses: '24.131115',
      ad_spend: '1.00',
      net_profit: '199.00',
      mer: '0.005',
      blended_roas: '200.00',
    });
    expect((await shop.call('GET', '/v1/metrics?from=2026-02-10&to=2026-02-10')).body).not.to.have.property(
      'operating_expenses',
    );
    const daily = await shop.call('GET', '/v1/metrics/daily?from=2026-02-09&to=2026-02-11&include=expenses');
    expect(daily.body.days.map((entry: { operating_expenses: string }) => entry.operating_expenses)).to.deep.equal([
      '0.00',
      '24.131115',
      '18.131115',
    ]);
    await shop.call('DELETE', `${PATH}/one_time`);
    expect(await metrics('2026-02-10')).to.include({ ad_spend: '0.00' });
    expect((await shop.call('GET', '/v1/metrics?include=all')).status).to.equal(400);
  });
});
