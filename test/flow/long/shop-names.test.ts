import { expect } from 'chai';
import { paidOrder } from '../../support/paid-order.js';
import { useService } from '../../support/service.js';

interface Result {
  outcome: string;
  errors?: { code: string; field: string; message: string }[];
}

describe('the names that a shop may use', () => {
  const service = useService();

  const row = (channel: string, currency = 'EUR') => ({ channel, event_date: '2026-03-01', currency, spend: '1' });
  const order = (i: number, payment_gateway: string) =>
    paidOrder(`o-${i}`, {
      line_items: [{ line_id: '1', quantity: '1', unit_price: '1' }],
      total: '1',
      payment_gateway,
    });

  it('are 1,000 channels, whoever of many pushes comes first', async () => {
    const shop = await service.shop();
    const pushes = await Promise.all(
      [0, 1, 2].map((push) =>
        shop.call('POST', '/v1/costs/spend', { rows: Array.from({ length: 500 }, (_, i) => row(`c ${push} ${i}`)) }),
      ),
    );
    const results = pushes.flatMap(({ body }) => (body as { results: Result[] }).results);
    const rejected = results.filter(({ outcome }) => outcome === 'rejected');
    expect(rejected).to.have.length(500);
    for (const { errors } of rejected) {
      expect(errors?.[0]).to.deep.include({ code: 'too_many', field: 'channel' });
      expect(errors?.[0]?.message).to.match(/1000 channels/);
    }
    const known = results.findIndex(({ outcome }) => outcome === 'accepted');
    const again = await shop.call('POST', '/v1/costs/spend', {
      rows: [row(`c ${Math.floor(known / 500)} ${known % 500}`), row('one more')],
    });
    expect((again.body as { results: Result[] }).results.map(({ outcome }) => outcome)).to.deep.equal([
      'accepted',
      'rejected',
    ]);
    await service.settled();

    // A Redis that forgot them reads them from the warehouse.
    await service.stores.redis.del(`names:{${shop.id}}:channels`);
    const late = await shop.call('POST', '/v1/costs/spend', { rows: [row('yet another')] });
    expect((late.body as { results: Result[] }).results[0]?.outcome).to.equal('rejected');
    const report = await shop.call('GET', '/v1/attribution?from=2026-03-01&to=2026-03-01');
    expect((report.body as { channels: unknown[] }).channels.length).to.be.at.most(1_002);
  });

  it('are 1,000 payment gateways, whatever their case', async () => {
    const shop = await service.shop();
    const push = (from: number, path = '/v1/orders') =>
      shop.call('POST', path, { orders: Array.from({ length: 250 }, (_, i) => order(from + i, `Gate ${from + i}`)) });
    const dry = await push(0, '/v1/orders?validate_only=1');
    expect(dry.body).to.deep.include({ accepted: 250, rejected: 0 });
    for (const from of [0, 250, 500]) expect((await push(from)).body).to.deep.include({ accepted: 250 });
    expect((await push(750)).body).to.deep.include({ accepted: 250 });
    const over = await push(1_000);
    expect(over.body).to.deep.include({ accepted: 0, rejected: 250 });
    expect((over.body as { results: Result[] }).results[0]?.errors?.[0]).to.deep.include({
      code: 'too_many',
      field: 'payment_gateway',
    });
    const mixed = await shop.call('POST', '/v1/orders', {
      orders: [order(2_000, 'GATE 7'), order(2_001, 'gate x'), order(2_002, 'gate 8')],
    });
    expect((mixed.body as { results: Result[] }).results.map(({ outcome }) => outcome)).to.deep.equal([
      'accepted',
      'rejected',
      'accepted',
    ]);
    await service.settled();
    const metrics = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01');
    expect(metrics.body).to.deep.include({ orders: 1_002, revenue: '1002.00' });
  });

  it('has lists with a bound in every order', async () => {
    const shop = await service.shop();
    const refund = (i: number, lines = 1) => ({
      refund_id: `r${i}`,
      refunded_at: '2026-03-02T00:00:00Z',
      total: '0',
      line_items: Array.from({ length: lines }, () => ({ line_id: '1', quantity: '0' })),
    });
    const refunds = (count: number, lines = 1) => Array.from({ length: count }, (_, i) => refund(i, lines));
    const { body } = await shop.call('POST', '/v1/orders', {
      orders: [
        { ...order(1, 'g'), refunds: refunds(500) },
        { ...order(2, 'g'), refunds: refunds(501) },
        { ...order(3, 'g'), refunds: refunds(1, 500) },
        { ...order(4, 'g'), refunds: refunds(1, 501) },
        { ...order(5, 'g'), refunds: refunds(50, 100) },
        { ...order(6, 'g'), refunds: refunds(50, 101) },
      ],
    });
    const { results } = body as { results: Result[] };
    expect(
      results.map(({ outcome, errors = [] }) => [outcome, errors.map(({ code, field }) => `${code} ${field}`)]),
    ).to.deep.equal([
      ['accepted', []],
      ['rejected', ['too_many refunds']],
      ['accepted', []],
      ['rejected', ['too_many refunds[0].line_items']],
      ['accepted', []],
      ['rejected', ['too_many refunds']],
    ]);
    expect(results[5]?.errors?.[0]?.message).to.match(/5000 line_items in all; they hold 5050/);
    expect(results[1]?.errors?.[0]?.message).to.match(/500/);
  });
});
