import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { batchId } from '../../../src/domain/receipts.js';
import { askUntilFresh } from '../../support/ask-until-fresh.js';
import { paidOrder as order } from '../../support/paid-order.js';
import { useFreshShop, useService, type Answer } from '../../support/service.js';
import { ownTime } from '../../support/worked.js';

const DAY = 'from=2026-03-01&to=2026-03-01';

const expense = (amount: string) => ({
  external_id: 'rent',
  name: 'Rent',
  category: 'other',
  amount,
  currency: 'EUR',
  frequency: 'one_time',
  started_on: '2026-03-01',
  counts_as_ad_spend: true,
});

describe('reading one’s own push', () => {
  const service = useService();
  const shop = useFreshShop(service);

  const push = async (...orders: object[]): Promise<string> =>
    receiptOf(await shop.call('POST', '/v1/orders', { orders }));
  const readAfter = (receipt: string, path = `/v1/metrics?${DAY}`, of = shop): Promise<Answer> =>
    askUntilFresh(() => of.call('GET', `${path}&after=${receipt}`));
  const figures = async (receipt: string): Promise<Answer['body']> => {
    const { status, body } = await readAfter(receipt);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  function receiptOf({ status, body }: Answer): string {
    expect(status, JSON.stringify(body)).to.be.oneOf([200, 201]);
    expect(body.receipt).to.match(/^[A-Za-z0-9._-]{1,200}$/);
    return body.receipt;
  }

  it('gives figures that contain it, for every kind of push', async () => {
    expect(await figures(await push(order('1')))).to.include({ revenue: '10.00', cogs: '0.00' });
    const costs = { costs: [{ sku: 'MUG', unit_cost: '4' }] };
    expect(await figures(receiptOf(await shop.call('PUT', '/v1/products/costs', costs)))).to.include({ cogs: '4.00' });
    const rows = [{ channel: 'Radio', event_date: '2026-03-01', currency: 'EUR', spend: '2' }];
    const spend = receiptOf(await shop.call('POST', '/v1/costs/spend', { rows }));
    expect(await figures(spend)).to.include({ ad_spend: '2.00' });
    const rent = receiptOf(await shop.call('POST', '/v1/costs/expenses', expense('5')));
    expect(await figures(rent)).to.include({ ad_spend: '7.00' });
    const dearer = receiptOf(await shop.call('PATCH', '/v1/costs/expenses/rent', expense('6')));
    expect(await figures(dearer)).to.include({ ad_spend: '8.00' });

    const gateway = await push(order('2', { payment_gateway: 'Stripe' }));
    expect(await figures(gateway)).to.include({ orders: 2, gateway_fees: '0.00' });
    const rules = [{ payment_gateway: 'stripe', percent: '10', fixed: '0' }];
    const fees = receiptOf(await shop.call('PUT', '/v1/costs/gateway-fees', { rules }));
    expect(await figures(fees)).to.include({ gateway_fees: '1.00' });

    const daily = await readAfter(gateway, `/v1/metrics/daily?${DAY}`);
    expect(daily.body.days).to.have.length(1);
    expect(daily.body.days[0]).to.include({ orders: 2 });
  });

  it('is never answered with figures from before it', async () => {
    const tries = 9;
    const days = ['2026-03-01', '2026-03-02', '2026-03-03'];
    const at = (day: string | undefined, i: number) => ({
      placed_at: `${day}T12:00:00Z`,
      updated_at: new Date(Date.UTC(2026, 2, 4) + i).toISOString(),
    });
    for (let i = 1; i <= tries; i++) {
      // One that stays, and one that moves from day to day.
      const orders = [order(String(i), at(days[i % 3], i)), order('moving', at(days[(i + 1) % 3], i))];
      const { body } = await readAfter(await push(...orders), '/v1/metrics/daily?from=2026-03-01&to=2026-03-03');
      const counts = body.days.map((day: { orders: number }) => day.orders);
      const expected = days.map((_, day) => [...Array(i).keys()].filter((n) => (n + 1) % 3 === day).length);
      expected[(i + 1) % 3] = (expected[(i + 1) % 3] ?? 0) + 1;
      expect(counts, `push ${i}`).to.deep.equal(expected);
    }
  });

  it('gives the credit of its orders', async () => {
    const token = await service.key(shop.id, 'pixel');
    const event = (fields: object) => ({
      event_id: randomUUID(),
      anon_id: 'v',
      consent: 'analytics',
      ts: new Date().toISOString(),
      type: 'page_view',
      url: 'https://shop.example/?utm_source=news&utm_medium=email',
      ...fields,
    });
    const events = [event({}), event({ type: 'purchase', order_id: 'seen' })];
    expect((await service.call('POST', '/v1/collect', { key: token, body: { events } })).status).to.equal(204);
    await service.settled();
    const today = new Date().toISOString().slice(0, 10);
    const receipt = await push(order('seen', { placed_at: new Date(Date.now() + 1_000).toISOString() }));
    const { body } = await readAfter(receipt, `/v1/attribution?from=${today}&to=${today}`);
    expect(body.channels.map((row: Record<string, unknown>) => [row.channel, row.orders])).to.deep.equal([
      ['email', 1],
      ['unattributed', 0],
    ]);
  });

  it('also works long after the push', async () => {
    const receipts = [
      await push(order('1')),
      receiptOf(await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '4' }] })),
    ];
    for (const receipt of receipts) await figures(receipt);
    await service.stores.redis.del(...receipts.map((receipt) => `receipt:${receipt}`));
    for (const receipt of receipts) expect(await figures(receipt)).to.include({ orders: 1, cogs: '4.00' });
  });

  it('is waited for by a comparison of days and of orders', async () => {
    const compare = (receipt: string, body: object): Promise<Answer> =>
      askUntilFresh(() => shop.call('POST', `/v1/reconcile?after=${receipt}`, body));
    const days = [
      { date: '2026-03-01', orders: 1, revenue: '10' },
      { date: '1970-01-01', orders: 0 },
      { date: '2148-12-31', orders: 0 },
    ];
    const first = await push(order('1'));
    expect((await compare(first, { days })).body).to.deep.equal({ equal: 3, differences: [] });
    const updated_at = '2026-03-02T00:00:00Z';
    const changed = await push(order('1', { updated_at, tips: '1', total: '11' }));
    expect((await compare(changed, { orders: [{ order_id: '1', updated_at, total: '11' }] })).body).to.deep.equal({
      equal: 1,
      differences: [],
    });
    const { status, body } = await compare('x', { days });
    expect([status, body.errors[0].code, body.errors[0].field]).to.deep.equal([400, 'invalid_value', 'after']);
  });

  it('has no receipt when nothing was accepted', async () => {
    const rejected = await shop.call('POST', '/v1/orders', { orders: [order('1', { total: '11' })] });
    expect(rejected.body).to.include({ accepted: 0 }).and.not.have.property('receipt');
    const checked = await shop.call('POST', '/v1/orders?validate_only=1', { orders: [order('1')] });
    expect(checked.body).to.include({ accepted: 1 }).and.not.have.property('receipt');
    const spend = await shop.call('POST', '/v1/costs/spend', { rows: [{}] });
    expect(spend.body).to.include({ rejected: 1 }).and.not.have.property('receipt');
  });

  it('refuses a receipt of another shop, one without a push, and a text that is no receipt', async () => {
    const mine = await push(order('1'));
    await figures(mine);
    const expired = await push(order('2'));
    await figures(expired);
    await service.stores.redis.del(`receipt:${expired}`);
    const other = await service.shop();
    const unknown = [batchId(Date.now(), randomUUID()), batchId(0, randomUUID()), batchId(2 ** 47, randomUUID())];
    for (const receipt of [mine, expired, ...unknown, randomUUID(), 'x', '', '1'.repeat(5_000)]) {
      for (const path of [`/v1/metrics?${DAY}`, `/v1/metrics/daily?${DAY}`, `/v1/attribution?${DAY}`]) {
        const { status, body } = await readAfter(receipt, path, other);
        expect([status, body.errors[0].code, body.errors[0].field]).to.deep.equal([400, 'invalid_value', 'after']);
      }
    }
  });
});

describe('reading a push that nobody stores', () => {
  const service = useService({ workers: false });

  it('is answered 503 within 5 s, and with figures once it is stored', async () => {
    const shop = await service.shop();
    const { body } = await shop.call('POST', '/v1/orders', { orders: [order('1')] });
    const start = performance.now();
    const ownStart = ownTime();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => shop.call('GET', `/v1/metrics?${DAY}&after=${body.receipt}`)),
    );
    for (const answer of answers) {
      expect([answer.status, answer.body.errors[0].code]).to.deep.equal([503, 'not_fresh_yet']);
      expect(answer.headers.get('retry-after')).to.equal('1');
    }
    // Every request is answered within 10 s; these wait 5 s for the push.
    expect(performance.now() - start).to.be.above(4_000);
    expect(ownTime() - ownStart).to.be.below(10_000);
    const read = () => shop.call('GET', `/v1/metrics?${DAY}&after=${body.receipt}`);
    const late = read();
    service.startWorkers();
    let figures = await late;
    while (figures.status === 503) figures = await read();
    expect(figures.body).to.include({ orders: 1 });
  });
});
