import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { keepAlive, type KeptAlive } from '../support/keep-alive.js';
import { paidOrder } from '../support/paid-order.js';
import { serviceEnvironment, startService, type Answer, type Service, type Shop } from '../support/service.js';
import { ownTime } from '../support/worked.js';

const TRIES = Number(process.env.RECEIPT_TRIES ?? 30);
/** However quick the machine is. */
const KILLS = 3;
const SHOPS = Number(process.env.RECEIPT_SHOPS ?? 6);
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];
const RANGE = 'from=2026-03-01&to=2026-03-03';

const order = (id: string, day: number, version: number) =>
  paidOrder(id, {
    placed_at: `${DAYS[day] ?? ''}T12:00:00Z`,
    updated_at: new Date(Date.UTC(2026, 2, 4) + version).toISOString(),
  });

describe('reading one’s own push while workers are killed', function () {
  this.timeout(600_000 + TRIES * 1_000);
  let observer: Service;
  let worker: KeptAlive;
  before(async () => {
    observer = await startService({ workers: false });
    worker = keepAlive('dist/workers/main.js', { ...(await serviceEnvironment()), LOG_LEVEL: 'info' });
  });
  after(async () => {
    await worker.stop();
    await observer.stop();
  });

  /** Asks again as long as the answer says so; gives how often that was. */
  async function read(shop: Shop, receipt: string): Promise<{ answer: Answer; retries: number }> {
    for (let retries = 0; ; retries++) {
      const answer = await shop.call('GET', `/v1/metrics/daily?${RANGE}&after=${receipt}`);
      if (answer.status === 200) return { answer, retries };
      expect(answer.body.errors[0], answer.body.errors[0].message).to.include({ code: 'not_fresh_yet' });
      expect(answer.headers.get('retry-after')).to.equal('1');
    }
  }

  it('gives no stale answer', async () => {
    const shops = await Promise.all(Array.from({ length: SHOPS }, () => observer.shop()));
    let tries = 0;
    let retries = 0;
    let kills = 0;
    let shown = 0;

    /** An order that stays, one that moves from day to day, and a unit cost, in turns. */
    const use = async (shop: Shop): Promise<void> => {
      const counts = [0, 0, 0];
      for (let i = 0; tries < TRIES || kills < KILLS; i++) {
        tries++;
        const [day, moved] = [i % 3, (i + 1) % 3];
        counts[day] = (counts[day] ?? 0) + 1;
        const pushed = await shop.call('POST', '/v1/orders', { orders: [order(`${i}`, day, i), order('m', moved, i)] });
        const costs = { costs: [{ sku: 'MUG', unit_cost: `${i}` }] };
        const priced = await shop.call('PUT', '/v1/products/costs', costs);
        // The receipt of the second covers the first one too.
        for (const { body } of i % 2 === 0 ? [pushed, priced] : [priced]) {
          const { answer, retries: more } = await read(shop, body.receipt);
          retries += more;
          shown++;
          const days = answer.body.days as { orders: number; cogs: string }[];
          const expected = counts.map((count, n) => count + (n === moved ? 1 : 0));
          expect(days.map(({ orders }) => orders)).to.deep.equal(expected);
          if (body !== priced.body) continue;
          expect(days.map(({ cogs }) => cogs)).to.deep.equal(expected.map((count) => `${count * i}.00`));
        }
      }
    };
    const all = Promise.all(shops.map(use));
    const ended = all.then(
      () => true,
      () => true,
    );
    // At moments of every kind: soon after a start, and in the middle of work. A machine on which nothing shows in that time
    // gets more.
    let longestMs = 4_000;
    let before = 0;
    while (!(await Promise.race([ended, worker.started().then(() => sleep(Math.random() * longestMs, false))]))) {
      worker.kill();
      kills++;
      if (shown === before) longestMs *= 1.5;
      before = shown;
    }
    await all;
    console.log(`      ${tries * 2} reads, ${kills} kills, asked again ${retries} times`);
    expect(kills).to.be.at.least(KILLS);
  });

  it('is 503 within 5 s while the worker is frozen, and the figures once it goes on', async () => {
    const shop = await observer.shop();
    // The worker lives: the last test may just have killed it.
    const { body: lives } = await shop.call('POST', '/v1/orders', { orders: [order('0', 1, 1)] });
    await read(shop, lives.receipt);
    worker.kill('SIGSTOP');
    try {
      const { body } = await shop.call('POST', '/v1/orders', { orders: [order('1', 0, 1)] });
      const start = ownTime();
      const refused = await shop.call('GET', `/v1/metrics?${RANGE}&after=${body.receipt}`);
      expect([refused.status, refused.body.errors[0].code]).to.deep.equal([503, 'not_fresh_yet']);
      expect(ownTime() - start).to.be.below(5_500);
      const waiting = read(shop, body.receipt);
      worker.kill('SIGCONT');
      expect((await waiting).answer.body.days[0]).to.include({ orders: 1 });
    } finally {
      worker.kill('SIGCONT');
    }
  });
});
