import { expect } from 'chai';
import { paidOrder } from '../support/paid-order.js';
import { useFreshShop, useService } from '../support/service.js';

const order = (id: string, fields: Record<string, unknown> = {}) =>
  paidOrder(id, {
    line_items: [{ line_id: '1', quantity: '1', unit_price: '33.33' }],
    total: '33.33',
    ...fields,
  });

describe('gateway fees', () => {
  const service = useService();
  const shop = useFreshShop(service);

  const put = (rules: unknown) => shop.call('PUT', '/v1/costs/gateway-fees', { rules });
  const fees = async () => (await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01')).body.gateway_fees;

  it('replaces the whole list and gives it back', async () => {
    expect((await shop.call('GET', '/v1/costs/gateway-fees')).body).to.deep.equal({ rules: [] });
    const first = await put([
      { payment_gateway: 'Stripe', percent: '1.4', fixed: '0.25' },
      { payment_gateway: 'PayPal', percent: '2.9', fixed: '0' },
    ]);
    const rules = [
      { payment_gateway: 'Stripe', percent: '1.40', fixed: '0.25' },
      { payment_gateway: 'PayPal', percent: '2.90', fixed: '0.00' },
    ];
    expect([first.status, first.body]).to.deep.equal([200, { rules, receipt: first.body.receipt }]);
    expect((await shop.call('GET', '/v1/costs/gateway-fees')).body).to.deep.equal({ rules });
    await put([]);
    expect((await shop.call('GET', '/v1/costs/gateway-fees')).body).to.deep.equal({ rules: [] });
  });

  it('refuses doubles in any spelling, amounts that are no money, and a key without the scope', async () => {
    const double = await put([
      { payment_gateway: 'Straße', percent: '1', fixed: '0' },
      { payment_gateway: 'STRASSE', percent: '1', fixed: '0' },
    ]);
    expect(double.status).to.equal(400);
    expect(double.body.errors).to.have.length(1);
    expect(double.body.errors[0]).to.include({ code: 'invalid_value', field: 'rules[1].payment_gateway' });
    const wrong = await put([{ payment_gateway: '', percent: 1.4, fixed: '-1' }]);
    expect(
      wrong.body.errors.map(({ code, field }: { code: string; field: string }) => `${field} ${code}`),
    ).to.have.members([
      'rules[0].payment_gateway invalid_value',
      'rules[0].percent money_must_be_string',
      'rules[0].fixed invalid_money',
    ]);
    const key = await service.key(shop.id, 'publishable');
    expect((await service.call('GET', '/v1/costs/gateway-fees', { key })).status).to.equal(403);
  });

  it('estimates orders without an actual fee only, in any spelling, at once for orders of the past', async () => {
    await shop.call('POST', '/v1/orders', {
      orders: [
        order('1', { payment_gateway: 'STRIPE' }),
        order('2', { payment_gateway: 'stripe', gateway_fee: '1' }),
        order('3', { payment_gateway: 'ΣΤΡΆΙΠΣ' }),
        order('4', { payment_gateway: 'cash' }),
        order('5'),
        order('6', { payment_gateway: 'stripe', is_test: true }),
        order('7', {
          payment_gateway: 'stripe',
          gateway_fee: '0',
          refunds: [{ refund_id: 'r', refunded_at: '2026-03-01T13:00:00Z', total: '1', gateway_fee_refund: '0.1' }],
        }),
      ],
    });
    await service.settled();
    expect(await fees()).to.equal('0.90');
    await put([
      { payment_gateway: 'Stripe', percent: '1.234567', fixed: '0.25' },
      { payment_gateway: 'στράιπς', percent: '0', fixed: '0.01' },
    ]);
    // 33.33 × 1.234567 / 100 = 0.4114811811, + 0.25 + 0.01 + 1 − 0.1
    expect(await fees()).to.equal('1.571481');
    await put([]);
    expect(await fees()).to.equal('0.90');
  });
});
