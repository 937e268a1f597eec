import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { OCCASION, STAMPS_OF_ORDER, orderVersion, type OrderInput } from '../../src/domain/orders/orders.js';
import { createOrderCommit, type OrderCommit } from '../../src/ingest/order-commit.js';
import { createConsume } from '../../src/queue/consumer.js';
import { JOB_SCHEMA, jobKey, TABLES, type GroupJob, type OrdersPush } from '../../src/queue/jobs.js';
import { createProducer, type Producer } from '../../src/queue/producer.js';
import { pushesOf, readJob } from '../../src/queue/read-job.js';
import { packSegments } from '../../src/queue/segments.js';
import { createOrderVersions, RESERVATIONS, type Reservation } from '../../src/redis/order-versions.js';
import { createReceipts } from '../../src/redis/receipts.js';
import { connectProducer, connectWorker } from '../../src/redis/redis.js';
import { createSourceState } from '../../src/redis/sources.js';
import { ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../src/warehouse/columns/orders.js';
import { insertJobs } from '../../workers/insert-jobs.js';
import { sharedEngines } from '../support/shared-engines.js';
import { encoded, order, pushClaims, type Wanted } from './claimed-push.js';

/** No other test has queues in it. */
const DATABASE = 12;
const DAY_MS = 86_400_000;

describe('pushes of orders on their way into the queue', function () {
  this.timeout(60_000);
  let redis: Redis;
  let url: string;
  let shopId: string;
  let revision: string;
  const open: { producer: Producer; connection: Redis }[] = [];

  before(async () => {
    url = `${(await sharedEngines()).redis.url}/${DATABASE}`;
    redis = new Redis(url);
  });
  beforeEach(async () => {
    await redis.flushdb();
    shopId = randomUUID();
    const source = { platform: 'p', currency: 'EUR', timezone: 'UTC', shopDomain: null };
    revision = (await createSourceState(redis).put(shopId, source, 1))?.revision ?? '';
  });
  afterEach(async () => {
    for (const { producer, connection } of open.splice(0)) {
      await producer.close();
      connection.disconnect();
    }
  });
  after(async () => {
    await redis.flushdb();
    redis.disconnect();
  });

  /** The way in of one process. */
  async function openDoor(): Promise<{ producer: Producer; commit: OrderCommit }> {
    const connection = connectProducer({ url });
    await new Promise((resolve) => connection.once('ready', resolve));
    const producer = createProducer({ connectionOf: () => connection });
    open.push({ producer, connection });
    return { producer, commit: createOrderCommit({ producer }) };
  }

  const push = (commit: OrderCommit, orders: readonly OrderInput[], wanted: Wanted = {}) =>
    pushClaims(commit, { shopId, revision, ...wanted }, orders);
  const jobs = async (): Promise<{ id: string; data: unknown }[]> => {
    const ids = (await redis.lrange(jobKey('orders', 'wait'), '0', '-1')).toReversed();
    return Promise.all(
      ids.map(async (id) => ({
        id,
        data: JSON.parse((await redis.hget(jobKey('orders', id), 'data')) ?? '') as unknown,
      })),
    );
  };
  /** What a worker inserts, by table. */
  const inserted = async (list: readonly GroupJob<OrdersPush>[]): Promise<Record<string, Buffer>> => {
    const found: Record<string, Buffer> = {};
    await insertJobs(
      {
        insertBytes: ({ name }: { name: string }, bytes: Buffer) => {
          found[name] = bytes;
          return Promise.resolve();
        },
      } as unknown as Parameters<typeof insertJobs>[0],
      'orders',
      list,
    );
    return found;
  };
  const kindsOf = (list: readonly Reservation[]): unknown[] =>
    list.map((one) => (one.kind === 'reserved' ? one.accepted : one.kind));

  it('become what a job holds whose pushes were reserved before, byte for byte', async () => {
    const { commit } = await openDoor();
    await redis.hset(`source:{${shopId}}`, 'known_from', Date.now() * 1_000);
    const known = { stored: null };
    const pushes = [
      push(commit, [order('a', 2), order('b', 2)], known),
      push(commit, [order('lost', 1)]), // older than what Redis has forgotten
      push(commit, [order('a', 1), order('c', 1), order('b', 2)], known),
      push(commit, [order('d', 9)], { revision: 'of before', ...known }),
      push(commit, [order('a', 3), order('a', 2), order('a', 4), order('a', 4)], known),
      push(commit, [order('b', 1)], known),
      push(commit, []),
    ];
    const made = await Promise.all(pushes.map(({ reservation }) => reservation));
    expect(kindsOf(made)).to.deep.equal([
      [true, true],
      'unknown',
      [false, true, true],
      'source_changed',
      [true, false, true, true],
      [false],
      [],
    ]);
    const [job, ...others] = await jobs();
    expect(others).to.deep.equal([]);
    const read = readJob<OrdersPush>(job?.data);
    const reserved = pushes.flatMap((one, i) => {
      const own = made[i];
      return own?.kind === 'reserved' ? [{ ...one, accepted: own.accepted, stamp: own.stamp }] : [];
    });
    expect(read.pushes.map(({ header }) => header.batch_id)).to.deep.equal(reserved.map(({ batch_id }) => batch_id));
    expect(read.pushes.map(({ order_ids }) => order_ids)).to.deep.equal([['a', 'b'], ['c', 'b'], ['a'], [], []]);
    for (const [i, { accepted, stamp }] of reserved.entries()) {
      const count = accepted.filter(Boolean).length;
      const last = stamp + STAMPS_OF_ORDER * (accepted.length - 1);
      expect(read.pushes[i]?.header).to.deep.include({
        accepted: count,
        superseded: accepted.length - count,
        rejected: 1,
        ...(count > 0 && { first_stamp: stamp, last_stamp: last }),
      });
      expect(read.pushes[i]?.header.errors.map((one) => one.count)).to.deep.equal(count > 0 ? [count] : []);
      if (count === 0) expect(read.pushes[i]?.header).to.not.have.any.keys('first_stamp', 'last_stamp');
    }
    // What an API queues that has the stamps before it queues the rows.
    const seen = new Set<string>();
    const before = reserved.map(({ orders, accepted, stamp }) => {
      const occasions = orders.map(({ order_id }) => {
        const occasion = seen.has(order_id) ? OCCASION.known : OCCASION.new;
        seen.add(order_id);
        return occasion;
      });
      return encoded(shopId, orders).rows(accepted, stamp, (i) => occasions[i] ?? OCCASION.new);
    });
    const wanted: Record<string, Buffer> = {
      'insert orders': Buffer.concat([ORDERS_HEAD, ...before.map(({ orders }) => orders)]),
      'insert order_days': Buffer.concat([ORDER_DAYS_HEAD, ...before.map(({ orderDays }) => orderDays)]),
    };
    expect(await inserted([read])).to.deep.equal(wanted);
    expect(await inserted(pushesOf(read, TABLES.orders.length)), 'push by push').to.deep.equal(wanted);
    expect(await inserted([readJob<OrdersPush>(job?.data)]), 'when the job comes again').to.deep.equal(wanted);
  });

  it('leave no trace where nothing of them is reserved', async () => {
    const { commit } = await openDoor();
    const keys = async (): Promise<string[]> => (await redis.keys('*')).filter((key) => !key.endsWith(':meta')).sort();
    const before = await keys();
    const { reservation, batch_id } = push(commit, [order('a', 1)], { revision: 'of before' });
    expect(kindsOf([await reservation])).to.deep.equal(['source_changed']);
    expect(await jobs()).to.deep.equal([]);
    expect(await keys()).to.deep.equal(before);
    expect(await createReceipts(redis).find({ shopId, batchId: batch_id })).to.deep.equal({ kind: 'unknown' });
  });

  it('are queued as other jobs are, for the workers of the queue', async () => {
    const { commit, producer } = await openDoor();
    const rows = packSegments([ORDERS_HEAD, ORDER_DAYS_HEAD].map((head) => ({ head, rows: Buffer.alloc(0) })));
    await producer.add('orders', 'plain', { schema: JOB_SCHEMA, rows });
    const { reservation } = push(commit, [order('a', 1)]);
    expect(kindsOf([await reservation])).to.deep.equal([[true]]);
    const [plain, ours] = await jobs();
    const fields = async (id = ''): Promise<Record<string, string>> => {
      const all = Object.entries(await redis.hgetall(jobKey('orders', id)));
      const others = all.filter(([name]) => name !== 'data' && name !== 'timestamp');
      return Object.fromEntries(others.map(([name, value]) => [name, value.replaceAll(id, 'ID')]));
    };
    expect(await fields(ours?.id)).to.deep.equal(await fields(plain?.id));
    const done: unknown[] = [];
    await new Promise<void>((resolve) => {
      const consumer = createConsume(() => [connectWorker({ url })])({
        queue: 'orders',
        concurrency: 2,
        work: (data) => {
          if (done.push(data) === 2)
            void Promise.resolve()
              .then(() => consumer.close())
              .then(resolve);
          return Promise.resolve();
        },
        onError: () => undefined,
        onFailed: () => undefined,
      });
    });
    expect(done).to.have.deep.members([plain?.data, ours?.data]);
    expect(await redis.exists(...[plain, ours].map((job) => jobKey('orders', job?.id ?? '')))).to.equal(0);
  });

  it('of several processes at once are decided in one order, and each reservation has its job', async () => {
    const doors = await Promise.all([openDoor(), openDoor(), openDoor()]);
    const versions = createOrderVersions(redis);
    let seed = 7;
    const below = (limit: number): number => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    const pushes = Array.from({ length: 120 }, (_, i) => {
      const orders = Array.from({ length: 1 + below(5) }, () => order(`o${below(6)}`, below(24)));
      return push((doors[i % doors.length] ?? doors[0]).commit, orders);
    });
    const made = await Promise.all(pushes.map(({ reservation }) => reservation));
    // In the order of their stamps: what is older than what came before is superseded, all else accepted.
    const inOrder = pushes
      .flatMap(({ orders }, i) => {
        const own = made[i];
        return own?.kind === 'reserved' && own.stamp > 0 ? [{ orders, ...own }] : [];
      })
      .sort((a, b) => a.stamp - b.stamp);
    const newest = new Map<string, number>();
    for (const { orders, accepted } of inOrder) {
      for (const [i, one] of orders.entries()) {
        const known = newest.get(one.order_id) ?? -1;
        expect(accepted[i]).to.equal(orderVersion(one) >= known);
        newest.set(one.order_id, Math.max(known, orderVersion(one)));
      }
    }
    for (const [id, version] of newest) expect(await versions.find(shopId, id)).to.equal(version);
    const read = (await jobs()).map(({ id, data }) => ({ id, job: readJob<OrdersPush>(data) }));
    const jobOf = new Map(
      read.flatMap(({ id, job }) => job.pushes.map(({ header }) => [header.batch_id, id] as const)),
    );
    expect(jobOf.size).to.equal(pushes.length);
    const batches = await redis.zrange(RESERVATIONS, '0', '-1');
    expect(batches).to.have.members(
      pushes.flatMap(({ batch_id }, i) => {
        const own = made[i];
        return own?.kind === 'reserved' && own.stamp > 0 ? [batch_id] : [];
      }),
    );
    for (const batch of batches) {
      const [, , job] = (await redis.get(`reservation:${batch}`))?.split('\n') ?? [];
      expect(job).to.equal(jobKey('orders', jobOf.get(batch) ?? ''));
    }
    expect(
      await versions.sweep({ beforeMs: Date.now() + DAY_MS, nowMs: Date.now(), budget: 0, limit: 1_000 }),
    ).to.equal(0);
  });
});
