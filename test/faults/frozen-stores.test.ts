import { expect } from 'chai';
import { REQUEST_WAIT_MS } from '../../src/composition/stores.js';
import { apiIsHealthy } from '../../src/telemetry/health.js';
import { freeze, until } from '../embedded/processes.js';
import { startEngines, type Engines } from '../support/engines.js';
import { paidOrder } from '../support/paid-order.js';
import { environmentOf, startService, type Answer, type Service, type Shop } from '../support/service.js';
import { ownTime } from '../support/worked.js';
import { collectedEvent } from '../support/collected-event.js';

const RANGE = 'from=2026-03-01&to=2026-03-01';
const order = (id: string) => paidOrder(id, { payment_gateway: id });
const spend = () => ({ channel: 'google', event_date: '2026-03-01', currency: 'EUR', spend: '4' });

/** An answer, and the milliseconds of this process that it took. */
async function timed(asked: Promise<Answer>): Promise<Answer & { ms: number }> {
  const start = ownTime();
  return { ...(await asked), ms: ownTime() - start };
}

function expectUnavailable(answer: Answer, code: string): void {
  expect([answer.status, answer.body.errors?.[0].code]).to.deep.equal([503, code]);
  expect(answer.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
}

describe('a store that is frozen', () => {
  let engines: Engines;
  let service: Service;
  let shop: Shop;
  let token: string;
  let frozen: number | null = null;

  const freezeStore = async ({ pid }: { pid: number }): Promise<void> => {
    frozen = pid;
    await freeze(pid);
  };
  const thaw = (): void => {
    if (frozen !== null) process.kill(frozen, 'SIGCONT');
    frozen = null;
  };
  const push = (id: string) => timed(shop.call('POST', '/v1/orders', { orders: [order(id)] }));
  const collect = () =>
    timed(service.call('POST', '/v1/collect', { body: { token, events: [collectedEvent({ anon_id: 'v' })] } }));
  const read = (path = `/v1/metrics?${RANGE}`) => timed(shop.call('GET', path));
  const ready = () => timed(service.call('GET', '/readyz'));
  /** Once the store has worked off what it was asked while it was frozen. */
  const figures = async () => {
    await service.settled();
    return until('figures are read', async () => {
      const { status, body } = await read();
      return status === 200 && body;
    });
  };

  before(async () => {
    engines = await startEngines();
  });
  after(() => engines.stop());
  beforeEach(async () => {
    service = await startService({ base: await environmentOf(engines), waitMs: REQUEST_WAIT_MS });
    shop = await service.shop();
    token = await service.key(shop.id, 'pixel');
    expect((await push('first')).body).to.include({ accepted: 1 });
    expect((await collect()).status).to.equal(204);
    expect(await figures()).to.include({ orders: 1 });
  });
  afterEach(async () => {
    thaw();
    await service.stop();
  });

  it('as the warehouse delays no health check, and pushes are taken', async () => {
    await freezeStore(engines.clickhouse);
    for (const { status, body, ms } of [await ready(), await read('/v1/health')]) {
      expect([status, body.status]).to.deep.equal([200, 'degraded']);
      expect(ms).to.be.below(2_000);
    }
    expect(await apiIsHealthy(Number(new URL(service.url).port)), 'the check of the container').to.equal(true);
    for (const id of ['second', 'third']) {
      const { status, body, ms } = await push(id);
      expect([status, body.accepted], JSON.stringify(body)).to.deep.equal([200, 1]);
      expect(ms).to.be.below(5_000);
    }
    // Nobody knows which channels the shop has used.
    const spent = await timed(shop.call('POST', '/v1/costs/spend', { rows: [spend()] }));
    expect([spent.status, spent.body.accepted], JSON.stringify(spent.body)).to.deep.equal([200, 1]);
    expect(spent.ms).to.be.below(5_000);
    const collected = await collect();
    expect(collected.status).to.equal(204);
    expect(collected.ms).to.be.below(5_000);

    const { pid } = engines.clickhouse;
    thaw();
    expect(await figures()).to.include({ orders: 3, revenue: '30.00', ad_spend: '4.00' });
    expect((await ready()).body).to.deep.equal({ status: 'ok' });
    process.kill(pid, 0); // the engine is the one that was frozen
  });

  it('as the warehouse holds no read for longer than 10 s, and no more than a few at once', async () => {
    await freezeStore(engines.clickhouse);
    const paths = [
      `/v1/metrics?${RANGE}`,
      `/v1/metrics/daily?${RANGE}`,
      `/v1/attribution?${RANGE}`,
      '/v1/connections',
      '/v1/ingest/status',
      '/v1/products/costs',
      '/v1/costs/expenses',
      '/v1/costs/gateway-fees',
    ];
    for (const answer of await Promise.all(paths.map(read))) {
      expectUnavailable(answer, 'store_unavailable');
      expect(answer.ms).to.be.below(10_000);
    }
    const crowd = await Promise.all(Array.from({ length: 600 }, () => read()));
    for (const answer of crowd) {
      expectUnavailable(answer, 'store_unavailable');
      expect(answer.ms).to.be.below(10_000);
    }
    // As many as there are connections were asked and wait for the store; who came after them was refused at once.
    expect(crowd.filter(({ ms }) => ms > 5_000).length).to.be.below(300);
    thaw();
    expect(await figures()).to.include({ orders: 1 });
    const left = await service.stores.warehouse.query(
      "SELECT query FROM system.processes WHERE query_id != queryID() AND query LIKE '%daily_%' AND elapsed > 5",
    );
    expect(left, 'nobody computes answers that nobody waits for').to.deep.equal([]);
  });

  it('as Redis delays no health check by 2 s, and what has to be queued is refused within 5 s', async () => {
    await freezeStore(engines.redis);
    const readiness = await ready();
    expect([readiness.status, readiness.body.status]).to.deep.equal([503, 'down']);
    expect(readiness.headers.get('retry-after')).to.match(/^\d+$/);
    expect(readiness.ms).to.be.below(2_000);
    const health = await read('/v1/health');
    expect([health.status, health.body.status]).to.deep.equal([200, 'down']);
    expect(health.ms).to.be.below(2_000);

    const spend = { rows: [{ channel: 'tv', event_date: '2026-03-01', currency: 'EUR', spend: '1' }] };
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, (_, i) => push(`refused-${i}`)),
      ...Array.from({ length: 50 }, collect),
      timed(shop.call('POST', '/v1/costs/spend', spend)),
      timed(shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'a', unit_cost: '1' }] })),
      timed(shop.call('PUT', '/v1/source', { platform: 'x', currency: 'EUR', timezone: 'UTC' })),
    ]);
    for (const [i, answer] of answers.entries()) {
      expectUnavailable(answer, answer.body.errors?.[0].code);
      expect(answer.body.errors[0].code).to.be.oneOf(['store_unavailable', 'queue_unavailable']);
      expect(answer.ms, `request ${i}`).to.be.below(5_000);
    }
    const figure = await read();
    expect(figure.status).to.equal(200);
    expect(figure.body).to.include({ orders: 1 });
    expect(figure.ms).to.be.below(10_000);

    thaw();
    for (let answer = await push('second'); answer.status !== 200; answer = await push('second')) {
      expectUnavailable(answer, answer.body.errors?.[0].code);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // What was refused may have been taken all the same, but then once.
    const { orders } = await figures();
    expect(orders).to.be.within(2, 52);
    expect((await ready()).body).to.deep.equal({ status: 'ok' });
  });

  it('as Redis that freezes between a look at it and the next delays a push by less than 5 s', async () => {
    for (let i = 0; i < 5; i++) {
      const pushes = Array.from({ length: 20 }, (_, n) => push(`moment-${i}-${n}`));
      await freezeStore(engines.redis);
      for (const { status, ms } of await Promise.all(pushes)) {
        expect(status).to.be.oneOf([200, 503]);
        expect(ms).to.be.below(5_000);
      }
      thaw();
      for (let answer = await ready(); answer.status !== 200; answer = await ready()) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  });
});
