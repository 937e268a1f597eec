import { expect } from 'chai';
import { useFreshShop, useService } from '../support/service.js';

const order = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  order_id: '1001',
  placed_at: '2026-03-01T23:30:00-05:00',
  updated_at: '2026-03-01T23:30:00-05:00',
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: '1', quantity: '2', unit_price: '50.25', sku: 'A', unit_cost: '20.10' }],
  total: '100.50',
  ...fields,
});

describe('orders in, profit out', () => {
  const service = useService();
  const shop = useFreshShop(service, { timezone: 'America/New_York' });

  const metrics = async (from: string, to = from) => (await shop.call('GET', `/v1/metrics?from=${from}&to=${to}`)).body;

  it('accepts an order and gives its figures on the local day', async () => {
    const answer = await shop.call('POST', '/v1/orders', { orders: [order()] });
    expect(answer.status).to.equal(200);
    const { receipt, ...result } = answer.body;
    expect(receipt).to.match(/^[A-Za-z0-9._-]{1,200}$/);
    expect(result).to.deep.equal({
      accepted: 1,
      rejected: 0,
      superseded: 0,
      results: [{ order_id: '1001', outcome: 'accepted' }],
    });
    await service.settled();
    expect(await metrics('2026-03-01')).to.deep.equal({
      from: '2026-03-01',
      to: '2026-03-01',
      currency: 'EUR',
      revenue: '100.50',
      refunds: '0.00',
      net_revenue: '100.50',
      orders: 1,
      cogs: '40.20',
      gateway_fees: '0.00',
      ad_spend: '0.00',
      net_profit: '60.30',
      aov: '100.50',
      mer: '0.00',
      blended_roas: null,
    });
  });

  it('moves an order to another day and removes what a re-send omits', async () => {
    const refund = { refund_id: 'r1', refunded_at: '2026-03-05T10:00:00Z', total: '10', gateway_fee_refund: '0.5' };
    await shop.call('POST', '/v1/orders', { orders: [order({ gateway_fee: '3', refunds: [refund] })] });
    await service.settled();
    expect(await metrics('2026-03-05')).to.include({ refunds: '10.00', gateway_fees: '-0.50', net_profit: '-9.50' });

    const moved = order({ placed_at: '2026-03-02T12:00:00Z', updated_at: '2026-03-06T00:00:00Z' });
    await shop.call('POST', '/v1/orders', { orders: [moved] });
    await service.settled();
    expect(await metrics('2026-03-01')).to.include({ orders: 0, revenue: '0.00' });
    expect(await metrics('2026-03-05')).to.include({ refunds: '0.00' });
    expect(await metrics('2026-03-02')).to.include({ orders: 1, revenue: '100.50', gateway_fees: '0.00' });
  });

  it('supersedes an older push, in one batch, in flight and after it is stored', async () => {
    const older = order({
      updated_at: '2026-03-01T23:29:59.999999-05:00',
      total: '0',
      line_items: [{ line_id: '1', quantity: '0', unit_price: '1' }],
    });
    const batch = await shop.call('POST', '/v1/orders', { orders: [order(), older, order()] });
    expect(batch.body.results.map((result: { outcome: string }) => result.outcome)).to.deep.equal([
      'accepted',
      'superseded',
      'accepted',
    ]);
    const inFlight = await shop.call('POST', '/v1/orders', { orders: [older] });
    expect(inFlight.body).to.include({ superseded: 1, accepted: 0 });
    await service.settled();
    // Other tests may have left more versions than one sweep forgets.
    const limit = 1_000;
    const sweep = () =>
      service.stores.versions.sweep({ beforeMs: Date.now() + 1, nowMs: Date.now(), budget: 0, limit });
    while ((await sweep()) >= limit);
    expect(await service.stores.redis.hlen(`versions:{${shop.id}}`)).to.equal(0);
    const stored = await shop.call('POST', '/v1/orders', { orders: [older, order()] });
    expect(stored.body).to.include({ superseded: 1, accepted: 1 });
    await service.settled();
    expect(await metrics('2026-03-01')).to.include({ orders: 1, revenue: '100.50' });
  });
});
