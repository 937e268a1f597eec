import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startService, type Service, type Shop } from '../support/service.js';

const HOUR_MS = 3_600_000;
/** By how much the clock of the process is wrong, one after the other. */
const JUMPS = [HOUR_MS, -HOUR_MS, 0, -HOUR_MS, HOUR_MS, 0];
const JUMP_EVERY_MS = 800;
const PUSHERS = 3;
const DAY = '2026-03-02';

const order = (order_id: string, total: string, updated_at = `${DAY}T12:00:00Z`) => ({
  order_id,
  placed_at: `${DAY}T12:00:00Z`,
  updated_at,
  currency: 'EUR',
  status: 'paid',
  total,
  line_items: [{ line_id: '1', quantity: '1', unit_price: total }],
});

/** An API and workers of one process, whose clock is put forward and back while they work; Redis and ClickHouse have their own. */
describe('a service whose clock jumps by an hour, forward and back', () => {
  const real = Date.now;
  let wrongBy = 0;
  let service: Service;
  let shop: Shop;

  before(async () => {
    Date.now = () => real() + wrongBy;
    service = await startService();
    shop = await service.shop();
  });
  afterEach(() => {
    wrongBy = 0;
  });
  after(async () => {
    await service.stop();
    Date.now = real;
  });

  const push = async (...orders: object[]): Promise<{ receipt: string; outcomes: string[] }> => {
    const { status, body } = await shop.call('POST', '/v1/orders', { orders });
    expect(status, JSON.stringify(body)).to.equal(200);
    return { receipt: body.receipt, outcomes: body.results.map((one: { outcome: string }) => one.outcome) };
  };
  const figures = async (query = ''): Promise<[number, string]> => {
    await service.settled();
    const { body } = await shop.call('GET', `/v1/metrics?from=${DAY}&to=${DAY}${query}`);
    return [body.orders, body.revenue];
  };

  it('loses nothing and counts nothing twice, and of two pushes of one version the later one counts', async () => {
    const receipts: string[] = [];
    let isOver = false;
    const pusher = async (at: number): Promise<number> => {
      let count = 0;
      for (; !isOver; count++) {
        const id = `${at}-${count}`;
        const first = await push(order(id, '1'), order(`${id}-once`, '3'));
        const again = await push(order(id, '2'));
        expect([...first.outcomes, ...again.outcomes]).to.deep.equal(['accepted', 'accepted', 'accepted']);
        receipts.push(again.receipt);
      }
      return count;
    };
    const pushers = Array.from({ length: PUSHERS }, (_, at) => pusher(at));
    for (wrongBy of JUMPS) await sleep(JUMP_EVERY_MS);
    isOver = true;
    const count = (await Promise.all(pushers)).reduce((a, b) => a + b, 0);
    expect(count).to.be.above(0);
    expect(await figures(`&after=${receipts.at(-1)}`)).to.deep.equal([2 * count, `${5 * count}.00`]);
    const { body } = await shop.call('GET', '/v1/ingest/status');
    expect(body.queue?.pending ?? 0).to.equal(0);
  });

  it('takes an order again that was deleted while the clock was ahead', async () => {
    const [orders] = await figures();
    const soon = (): string => new Date(real() + 1_000).toISOString();
    await push(order('deleted', '7'));
    wrongBy = HOUR_MS;
    expect((await shop.call('DELETE', '/v1/orders/deleted')).status).to.equal(204);
    wrongBy = 0;
    expect((await push(order('deleted', '7', `${DAY}T13:00:00Z`))).outcomes).to.deep.equal(['superseded']);
    expect((await figures())[0]).to.equal(orders);
    expect((await push(order('deleted', '7', soon()))).outcomes).to.deep.equal(['accepted']);
    expect((await figures())[0]).to.equal(orders + 1);
  });

  it('knows its keys and answers health, reads and lists at each of them', async () => {
    for (wrongBy of JUMPS) {
      const { status, body } = await shop.call('GET', `/v1/orders?from=${DAY}&to=${DAY}&limit=1`);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect((await shop.call('GET', '/v1/ingest/pushes')).body.pushes).not.to.have.length(0);
      expect((await shop.call('GET', '/v1/health')).status).to.equal(200);
    }
  });
});
