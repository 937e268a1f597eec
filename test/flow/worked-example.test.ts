import { expect } from 'chai';
import { useService, type Shop } from '../support/service.js';

/**
 * The example of the README, calculated by hand. A shop in EUR sells mugs and tea on the first three days of March 2026.
 *
 * Orders     1001 on 1 March: 2 mugs at 12.50, 1 tea at 9.00, shipping 4.00         = 38.00, by Stripe, fee not known
 *            1002 on 2 March: 1 mug at 12.50                                        = 12.50, by PayPal, actual fee 0.60
 *            refund of 1002 on 3 March: 12.50, the mug goes back in stock
 * Catalog    mug 4.10, from 2 March on 5.00; tea 3.00
 * Fee rule   Stripe 1.4 % + 0.25
 * Spend      Radio 5.00 EUR on 1 March; Radio 8.00 USD on 2 March
 * Expenses   agency 62.00 a month, counts as ad spend; software 365.00 a year
 */
describe('the worked example', () => {
  const service = useService();
  let shop: Shop;

  before(async () => {
    shop = await service.shop({ currency: 'EUR', timezone: 'UTC' });
    await shop.call('POST', '/v1/orders', {
      orders: [
        {
          order_id: '1001',
          placed_at: '2026-03-01T09:30:00Z',
          currency: 'EUR',
          status: 'paid',
          line_items: [
            { line_id: '1', sku: 'MUG', quantity: '2', unit_price: '12.50' },
            { line_id: '2', sku: 'TEA', quantity: '1', unit_price: '9.00' },
          ],
          shipping: '4.00',
          total: '38.00',
          payment_gateway: 'Stripe',
        },
        {
          order_id: '1002',
          placed_at: '2026-03-02T18:00:00Z',
          currency: 'EUR',
          status: 'paid',
          line_items: [{ line_id: '1', sku: 'MUG', quantity: '1', unit_price: '12.50' }],
          total: '12.50',
          payment_gateway: 'PayPal',
          gateway_fee: '0.60',
          refunds: [
            {
              refund_id: 'r-1',
              refunded_at: '2026-03-03T10:00:00Z',
              total: '12.50',
              line_items: [{ line_id: '1', quantity: '1', restock: true }],
            },
          ],
        },
      ],
    });
    await shop.call('PUT', '/v1/products/costs', {
      costs: [
        { sku: 'MUG', unit_cost: '4.10' },
        { sku: 'MUG', unit_cost: '5.00', effective_from: '2026-03-02' },
        { sku: 'TEA', unit_cost: '3.00' },
      ],
    });
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'stripe', percent: '1.4', fixed: '0.25' }],
    });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [
        { channel: 'Radio', event_date: '2026-03-01', currency: 'EUR', spend: '5.00' },
        { channel: 'Radio', event_date: '2026-03-02', currency: 'USD', spend: '8.00' },
      ],
    });
    const monthly = { category: 'marketing', frequency: 'monthly', started_on: '2026-03-01', counts_as_ad_spend: true };
    const yearly = { category: 'software', frequency: 'yearly', started_on: '2026-01-01' };
    for (const expense of [
      { external_id: 'agency', name: 'Agency', amount: '62.00', currency: 'EUR', ...monthly },
      { external_id: 'software', name: 'Software', amount: '365.00', currency: 'EUR', ...yearly },
    ]) {
      await shop.call('POST', '/v1/costs/expenses', expense);
    }
    await service.settled();
  });

  it('gives the metrics of the three days', async () => {
    const { body } = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-03&include=expenses');
    expect(body).to.deep.equal({
      left_out: [{ channel: 'custom:radio', currency: 'USD', ad_spend: '8.00' }],
      from: '2026-03-01',
      to: '2026-03-03',
      currency: 'EUR',
      revenue: '50.50', // 38.00 + 12.50
      refunds: '12.50',
      net_revenue: '38.00', // 50.50 − 12.50
      orders: 2,
      cogs: '11.20', // 2 × 4.10 + 3.00 on the 1st, 5.00 on the 2nd, −5.00 on the 3rd
      gateway_fees: '1.382', // 38.00 × 1.4 % = 0.532, + 0.25, + 0.60
      ad_spend: '11.00', // 5.00 + 3 days of 62.00 / 31 = 2.00
      net_profit: '14.418', // 38.00 − 11.20 − 1.382 − 11.00
      aov: '25.25', // 50.50 / 2
      mer: '0.217822', // 11.00 / 50.50 = 0.21782178…
      blended_roas: '4.590909', // 50.50 / 11.00 = 4.59090909…
      operating_expenses: '3.00', // 3 days of 365.00 / 365 = 1.00
      net_profit_after_expenses: '11.418', // 14.418 − 3.00
      currency_note: 'Not in EUR and therefore left out: USD (custom:radio).',
    });
  });

  it('gives each day on its own', async () => {
    const { body } = await shop.call('GET', '/v1/metrics/daily?from=2026-03-01&to=2026-03-03');
    const figures = body.days.map((day: Record<string, unknown>) => [
      day.date,
      day.revenue,
      day.refunds,
      day.cogs,
      day.gateway_fees,
      day.ad_spend,
      day.net_profit,
    ]);
    expect(figures).to.deep.equal([
      // 38.00 − 11.20 − 0.782 − 7.00
      ['2026-03-01', '38.00', '0.00', '11.20', '0.782', '7.00', '19.018'],
      // 12.50 − 5.00 − 0.60 − 2.00
      ['2026-03-02', '12.50', '0.00', '5.00', '0.60', '2.00', '4.90'],
      // −12.50 + 5.00 − 2.00
      ['2026-03-03', '0.00', '12.50', '-5.00', '0.00', '2.00', '-9.50'],
    ]);
  });
});
