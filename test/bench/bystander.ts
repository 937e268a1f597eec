import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../support/generated-orders.js';
import { startLoudShop } from '../support/loud-shops.js';
import type { CollectLoadOrder, CollectLoadResult } from './collect-load.js';
import type { BenchContext } from './context.js';
import { call, timesToShowDuring } from './fresh.js';
import { milliseconds, quantile, type Ratio, type Section } from './harness.js';
import { rebuildAll } from './history.js';
import type { LoadOrder, LoadResult } from './load.js';
import { storedOrder, writeStoredOrders, type StoredHistory } from './orders.js';
import { startProcess } from './processes.js';
import { openQueues, type BenchQueues } from './queues.js';
import { computed } from './waits.js';

const ALLOWED_MS = 1_000;
const ALLOWED_BESIDE_ALL_MS = 1_500;
const PROBE_EVERY_MS = 100;
const BATCH_SIZE = 250;
const IMPORTED = 100_000;
const OVERLOAD = { orders: 200_000, badOrders: 20_000 };
const RESENT = 30_000;
const RESENT_SECONDS = 25;
const HISTORY = { orders: 1_000_000, firstDay: '2021-01-01', days: 1_826, articles: 20_000 };
const PRICED = 1_000;
const COLLECT = { events: 2, connections: 128 };
const CAPACITY_REQUESTS = 40_000;
const COLLECT_SECONDS = 15;
const IDLE_MS = 60_000;
/** A worker's first rebuilds are slower, and the history that was just written is still being merged. */
const WARM_UP_MS = 10_000;

/**
 * How long an order of one shop takes until it shows, by itself, while another shop imports, sends random orders of five years
 * again, pushes a catalog, or its pixel sends half of what the collector carries, and while three others import, send orders
 * that are all wrong and flood events, each as fast as it is answered: the 99th percentile.
 */
export const bystander: Section<BenchContext> = {
  name: 'bystander',
  async run(context) {
    const { service, redis, newShop, newToken } = context;
    const [probe, importer, { token }] = [
      await newShop('bystander'),
      await newShop('importer'),
      await newToken('pixel'),
    ];
    const other = await newShop('history');
    const history: StoredHistory = { shopId: other.shopId, ...HISTORY };
    await writeStoredOrders(context.warehouse, history);
    await rebuildAll(context, other.shopId);

    const load = startProcess('load.ts');
    const collector = startProcess('collect-load.ts');
    const worker = service.startWorker();
    const queues = openQueues(service.redisUrl, ['orders', 'product-costs']);
    const ratios: Ratio[] = [];
    const watch = async (what: string, work: () => Promise<void>, allowedMs = ALLOWED_MS): Promise<void> => {
      const times = await timesToShowDuring(work(), { url: service.url, key: probe.key, everyMs: PROBE_EVERY_MS });
      const p99 = quantile(times, 0.99);
      ratios.push(allowed(`p99 of a bystander's orders until they show, ${what}`, p99, allowedMs));
      await computed(redis);
    };
    const push = async (key: string, own: Pick<LoadOrder, 'seed' | 'bodies' | 'batches'>): Promise<void> => {
      const order = { url: `${service.url}/v1/orders`, keys: [key], batchSize: BATCH_SIZE, connections: 8, ...own };
      const { statuses } = await load.ask<LoadResult>(order);
      if (statuses[200] !== own.batches) throw new Error(`pushes were answered with ${JSON.stringify(statuses)}`);
      await queues.emptied();
      // The bystander marks fresh days all the time.
      await computed(redis, ['history', 'costs']);
    };
    const collect = (requests: number, perSecond?: number): Promise<CollectLoadResult> => {
      const port = Number(new URL(service.url).port);
      const order: CollectLoadOrder = { port, token, seed: requests, requests, ...COLLECT };
      return collector.ask({ ...order, ...(perSecond !== undefined && { perSecond }) });
    };
    try {
      await timesToShowDuring(sleep(WARM_UP_MS), { url: service.url, key: probe.key, everyMs: PROBE_EVERY_MS });
      await watch('while nothing else is done', () => sleep(IDLE_MS));

      await watch('during an import', () => push(importer.key, { seed: 30_000, batches: IMPORTED / BATCH_SIZE }));

      const bodies = resentBodies(history);
      const startedAt = performance.now();
      let resentMs = 0;
      await watch('while random old orders are sent again', async () => {
        await push(other.key, { seed: 0, bodies, batches: bodies.length });
        resentMs = performance.now() - startedAt;
      });
      const what = `${RESENT.toLocaleString('en-US')} random old orders of five years until all days are fresh`;
      ratios.push(allowed(what, resentMs, RESENT_SECONDS * 1000));

      await watch('during a catalog push over five years', async () => {
        const priced = Array.from({ length: PRICED }, (_, i) => ({ sku: `SKU-${i}`, unit_cost: '3' }));
        await call('PUT', `${service.url}/v1/products/costs`, other.key, { costs: priced });
        await queues.emptied();
        await computed(redis, ['history', 'costs']);
      });

      const capacity = CAPACITY_REQUESTS / (await collect(CAPACITY_REQUESTS)).seconds;
      await watch('collect at half capacity', async () => {
        await collect(Math.round((COLLECT_SECONDS * capacity) / 2), capacity / 2);
      });

      const beside = 'beside an import, bad orders and a flood of events';
      await watch(beside, () => overload(context, queues, token), ALLOWED_BESIDE_ALL_MS);
      return ratios;
    } finally {
      await queues.close();
      await Promise.all([load.stop(), collector.stop(), worker.stop()]);
    }
  },
};

/** Three shops that send as much as they can, until the import is drained. */
async function overload(
  { service: { url }, newShop, redis }: BenchContext,
  queues: BenchQueues,
  token: string,
): Promise<void> {
  const [importing, careless] = [await newShop('importing'), await newShop('careless')];
  const flood = startLoudShop({ url, kind: 'flood', key: token, items: Number.MAX_SAFE_INTEGER });
  const others = [
    startLoudShop({ url, kind: 'import', key: importing.key, items: OVERLOAD.orders }),
    startLoudShop({ url, kind: 'bad orders', key: careless.key, items: OVERLOAD.badOrders }),
  ];
  try {
    await Promise.all(others.map(({ done }) => done));
    flood.hush();
    await flood.done;
    await queues.emptied();
    await computed(redis, ['history', 'costs']);
  } finally {
    await Promise.all([flood, ...others].map((shop) => shop.stop()));
  }
}

function resentBodies(history: StoredHistory): string[] {
  const random = createRandom(1);
  const updatedAt = new Date().toISOString();
  const one = () => storedOrder(history, Math.floor(random() * history.orders), updatedAt);
  return Array.from({ length: RESENT / BATCH_SIZE }, () =>
    JSON.stringify({ orders: Array.from({ length: BATCH_SIZE }, one) }),
  );
}

function allowed(what: string, ours: number, against: number): Ratio {
  return { what, ours: milliseconds(ours), against: milliseconds(against), ratio: ours / against, goal: { atMost: 1 } };
}
