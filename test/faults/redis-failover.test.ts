import { randomUUID } from 'node:crypto';
import { Big } from 'big.js';
import { expect } from 'chai';
import { askRedis } from '../../src/redis/one-connection.js';
import { until } from '../embedded/processes.js';
import { startRedisGroup, type RedisGroup, type RedisNode } from '../support/redis-group.js';
import { serviceEnvironment, startService, type Service, type Shop } from '../support/service.js';

const PUSHES_AFTER = 15;
const ORDERS_OF_A_PUSH = 5;
const order = (id: string) => ({
  order_id: id,
  placed_at: '2026-03-01T12:00:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: '1', quantity: '1', unit_price: '10.01' }],
  total: '10.01',
});

describe('a failover of Redis', function () {
  this.timeout(600_000);
  let group: RedisGroup;
  let service: Service;
  let shop: Shop;
  const frozen: RedisNode[] = [];

  beforeEach(async () => {
    group = await startRedisGroup();
    service = await startService({ env: { ...(await serviceEnvironment()), ...group.env, REDIS_REPLICAS: '1' } });
    shop = await service.shop();
  });
  afterEach(async () => {
    for (const node of frozen.splice(0)) node.signal('SIGCONT');
    await service.stop();
    await group.stop();
  });

  /** Pushes without a pause until `isOver`; returns the ids that were accepted. Whatever was not, is not pushed again. */
  async function pushUntil(isOver: () => boolean): Promise<string[]> {
    const accepted: string[] = [];
    while (!isOver()) {
      const ids = Array.from({ length: ORDERS_OF_A_PUSH }, () => randomUUID());
      const { status, body } = await shop.call('POST', '/v1/orders', { orders: ids.map(order) });
      expect(status).to.be.oneOf([200, 503], JSON.stringify(body));
      if (status === 200) accepted.push(...ids);
    }
    return accepted;
  }

  async function storedIds(): Promise<Map<string, number>> {
    const rows = await service.stores.warehouse.query<{ id: string; times: string }>(
      'SELECT order_id AS id, count() AS times FROM orders FINAL WHERE shop_id = {shop:String} GROUP BY order_id',
      { shop: shop.id },
    );
    return new Map(rows.map(({ id, times }) => [id, Number(times)]));
  }

  async function expectNothingLost(fault: (master: RedisNode) => void): Promise<void> {
    const old = await group.master();
    const progress = { after: 0, isOver: false };
    const pushing = Promise.all([1, 2, 3].map(() => pushUntil(() => progress.isOver)));
    const before = pushing.catch(() => undefined);
    try {
      await until('orders are stored', async () => (await storedIds()).size > 20, 120_000);
      fault(old);
      await until('another master is there', async () => (await group.master()).port !== old.port, 120_000);
      for (let pushed = 0; pushed < PUSHES_AFTER;) {
        const { status } = await shop.call('POST', '/v1/orders', { orders: [order(`after-${pushed}`)] });
        if (status === 200) pushed++;
      }
    } finally {
      progress.isOver = true;
      await before;
    }
    const accepted = (await pushing).flat();
    await service.settled();
    const stored = await storedIds();
    expect(accepted.filter((id) => stored.get(id) !== 1)).to.deep.equal([]);
    const { body } = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01');
    expect(body.revenue).to.equal(Big('10.01').times(stored.size).toFixed(2));
  }

  it('after a kill of the master loses nothing that was accepted', () =>
    expectNothingLost((master) => master.signal('SIGKILL')));

  it('after a master that hangs loses nothing that was accepted, and no connection stays on it', () =>
    expectNothingLost((master) => {
      master.signal('SIGSTOP');
      frozen.push(master);
    }));

  it('refuses pushes with 503 while too few replicas follow', async () => {
    const [, ...replicas] = group.nodes;
    for (const replica of replicas) replica.signal('SIGKILL');
    const master = await group.master();
    await until('they are gone', () =>
      askRedis(master, (redis) => redis.info('replication'), 10_000).then((info) =>
        info.includes('connected_slaves:0'),
      ),
    );
    const { status, body } = await shop.call('POST', '/v1/orders', { orders: [order('alone')] });
    expect([status, body.errors[0].code]).to.deep.equal([503, 'queue_unavailable']);
  });
});

describe('a Redis of its own for events', () => {
  let group: RedisGroup;
  let service: Service;

  before(async () => {
    group = await startRedisGroup();
    const env = await serviceEnvironment();
    service = await startService({ workers: false, env: { ...env, EVENTS_REDIS_URL: (await group.master()).url } });
  });
  after(async () => {
    await service.stop();
    await group.stop();
  });

  it('holds the queue of events until a worker takes them from there, and no orders', async () => {
    const shop = await service.shop();
    const token = await service.key(shop.id, 'pixel');
    const event = {
      event_id: randomUUID(),
      type: 'page_view',
      ts: new Date().toISOString(),
      anon_id: 'v',
      consent: 'analytics',
      url: 'https://shop.example.com/',
    };
    expect((await service.call('POST', '/v1/collect', { body: { token, events: [event] } })).status).to.equal(204);
    expect((await shop.call('POST', '/v1/orders', { orders: [order('1')] })).status).to.equal(200);
    const keys = await askRedis(await group.master(), (redis) => redis.keys('bull:*:wait'), 10_000);
    expect(keys).to.deep.equal(['bull:events:wait']);
    service.startWorkers();
    await service.settled();
    const rows = await service.stores.warehouse.query<{ n: string }>(
      'SELECT count() AS n FROM events FINAL WHERE shop_id = {shop:String}',
      { shop: shop.id },
    );
    expect(rows).to.deep.equal([{ n: '1' }]);
  });
});
