import { setImmediate as turn } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import type { Sender } from '../../src/domain/ingest.js';
import { orderVersion } from '../../src/domain/orders/orders.js';
import { RequestError } from '../../src/errors.js';
import type { Items } from '../../src/body/items.js';
import { createGroupCommit } from '../../src/ingest/group-commit.js';
import { createOrderIntake } from '../../src/ingest/orders.js';
import { NEVER_YIELDS } from '../../src/body/yielding.js';
import type { AnyNewJob, OrdersPush } from '../../src/queue/jobs.js';
import { createOrderVersions } from '../../src/redis/order-versions.js';
import { createSourceState } from '../../src/redis/sources.js';
import { createStamps } from '../../src/redis/stamps.js';
import { createSourceRegistry } from '../../src/repositories/sources.js';
import { ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../src/warehouse/columns/orders.js';
import { createRedisClient } from '../simulation/redis/client.js';
import { createRedisServer } from '../simulation/redis/server.js';

const sender: Sender = { shopId: 'shop', keyLast4: 'abcd', requestId: 'r', traceId: '' };
const order = (hour: number, id = 'o') => ({
  order_id: id,
  placed_at: '2026-03-01T00:00:00Z',
  updated_at: `2026-03-02T${String(hour).padStart(2, '0')}:00:00Z`,
  currency: 'EUR',
  status: 'paid',
  total: '1',
  line_items: [{ line_id: '1', quantity: '1', unit_price: '1' }],
});
const itemsOf = (value: object): Items => ({
  length: 1,
  *[Symbol.iterator]() {
    yield { value };
  },
  read: () => ({ value }),
});

/** The real way in of orders, on a Redis in memory, with a queue that can be away. */
async function start() {
  const now = (): number => Date.parse('2026-03-03T00:00:00Z');
  const redis = createRedisClient(
    createRedisServer(() => now() * 1_000),
    (work) => Promise.resolve(work()),
  );
  const queue = { isAway: false, jobs: 0, rows: [] as Buffer[], slow: Promise.resolve() };
  const stored = new Map<string, number>();
  const add = (_queue: string, _jobId: string, { rows }: AnyNewJob): Promise<void> => {
    if (queue.isAway) return Promise.reject(new RequestError([{ code: 'queue_unavailable', message: 'away' }], 1));
    queue.jobs++;
    queue.rows.push(inflateRawSync(rows));
    return queue.slow;
  };
  const sources = createSourceRegistry({
    shardOf: () => 0,
    state: createSourceState(redis),
    takeStamps: createStamps(redis),
    now,
    store: { find: () => Promise.resolve(null), shopIds: () => Promise.resolve([]), write: () => Promise.resolve() },
  });
  await sources.put('shop', { platform: 'x', currency: 'EUR', timezone: 'UTC', shopDomain: null });
  const take = createOrderIntake({
    sources,
    versions: createOrderVersions(redis),
    now,
    gateways: { admit: () => Promise.resolve(new Set<string>()) },
    newestVersions: () => Promise.resolve(stored),
    commit: createGroupCommit<OrdersPush>({
      producer: { add },
      queue: 'orders',
      heads: [ORDERS_HEAD, ORDER_DAYS_HEAD],
    }),
    openRejections: () => ({ add: () => undefined, keep: () => Promise.resolve() }),
  });
  const push = async (hour: number, id?: string): Promise<string> => {
    try {
      const { results } = await take(sender, itemsOf(order(hour, id)), { validateOnly: false, yielder: NEVER_YIELDS });
      return results[0]?.outcome ?? '';
    } catch (error) {
      return error instanceof RequestError ? error.errors[0].code : String(error);
    }
  };
  /** The version of an hour has reached the warehouse. */
  const store = (hour: number): void => void stored.set('o', orderVersion(order(hour)));
  return { queue, push, store };
}

describe('the way in of orders', () => {
  it('takes an older version after the queue has refused a newer one', async () => {
    const { queue, push } = await start();
    queue.isAway = true;
    expect(await push(9)).to.equal('queue_unavailable');
    queue.isAway = false;
    expect(await push(8)).to.equal('accepted');
    expect(queue.jobs).to.equal(1);
    expect(await push(7)).to.equal('superseded');
  });

  it('keeps what is stored, whatever the queue refuses after it', async () => {
    const { queue, push, store } = await start();
    expect(await push(5)).to.equal('accepted');
    store(5);
    queue.isAway = true;
    expect(await push(6)).to.equal('queue_unavailable');
    queue.isAway = false;
    expect(await push(4)).to.equal('superseded');
    expect(await push(5)).to.equal('accepted');
  });

  it('keeps the rows of each push until the queue has them, however long that takes', async () => {
    const { queue, push } = await start();
    let goOn: (() => void) | undefined;
    queue.slow = new Promise<void>((resolve) => (goOn = resolve));
    const ids = Array.from({ length: 8 }, (_, i) => `order-${i}`);
    const pushes: Promise<string>[] = [];
    for (const id of ids) {
      pushes.push(push(1, id));
      for (let turns = 0; turns < 10; turns++) await turn();
    }
    expect(queue.jobs, 'the others wait').to.equal(2);
    goOn?.();
    expect(new Set(await Promise.all(pushes))).to.deep.equal(new Set(['accepted']));
    const text = Buffer.concat(queue.rows).toString('latin1');
    // Once in the row of the order, and once in that of its day.
    expect(ids.map((id) => text.split(id).length - 1)).to.deep.equal(ids.map(() => 2));
  });
});
