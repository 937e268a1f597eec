import type { BenchContext } from './context.js';
import { median, perSecond, spread, type Ratio, type Section } from './harness.js';
import type { LoadResult } from './load.js';
import { startProcess } from './processes.js';
import { openQueues } from './queues.js';
import { computed } from './waits.js';

const CONNECTIONS = 16;
const SHOPS_AT_ONCE = 20;

interface Plan {
  name: string;
  tenants: readonly number[];
  /** Of pushes, in orders, each with how many pushes a run has at least, and how often it is measured. */
  sizes: readonly { size: number; least: number; rounds: number }[];
}

/**
 * Orders a second from the first push to the last figure, by the number of shops that push at once, against one shop. Every
 * shop pushes at least once. All runs of a size go in turns, so that whatever else the machine does hits all of them.
 */
const tenantsOf = ({ name, tenants, sizes }: Plan): Section<BenchContext> => ({
  name,
  async run({ service, redis, newShop }) {
    const load = startProcess('load.ts');
    const worker = service.startWorker();
    const queues = openQueues(service.redisUrl, ['orders']);
    try {
      const keys = await newShops(Math.max(...tenants), newShop);
      let seed = 10_000;
      const measure = async (shops: number, batchSize: number, least: number): Promise<number> => {
        const batches = Math.max(shops, least);
        const url = `${service.url}/v1/orders`;
        const order = { url, keys: keys.slice(0, shops), seed: seed++, batches, batchSize, connections: CONNECTIONS };
        const { seconds, statuses } = await load.ask<LoadResult>(order);
        if (statuses[200] !== batches) throw new Error(`answers of ${url}: ${JSON.stringify(statuses)}`);
        const answeredAt = performance.now();
        await queues.emptied();
        await computed(redis);
        return (batches * batchSize) / (seconds + (performance.now() - answeredAt) / 1000);
      };
      // A first one counts nowhere.
      for (const shops of tenants) await measure(shops, 5, 600);
      const ratios: Ratio[] = [];
      for (const { size, least, rounds } of sizes) {
        const rates = new Map<number, number[]>(tenants.map((shops) => [shops, []]));
        for (let round = 0; round < rounds; round++) {
          for (const shops of round % 2 === 0 ? tenants : tenants.toReversed()) {
            rates.get(shops)?.push(await measure(shops, size, least));
          }
        }
        ratios.push(...rows(size, rates));
      }
      return ratios;
    } finally {
      await queues.close();
      await Promise.all([load.stop(), worker.stop()]);
    }
  },
});

/** Up to 2,000 shops; then a push of 250 of each makes 500,000 orders on 60,000 days, which takes some ten minutes. */
export const tenants = tenantsOf({
  name: 'tenants',
  tenants: [1, 20, 500, 2_000],
  sizes: [
    { size: 5, least: 2_000, rounds: 3 },
    { size: 250, least: 160, rounds: 1 },
  ],
});
/** Few enough for every change. */
export const fewTenants = tenantsOf({
  name: 'few-tenants',
  tenants: [1, 20],
  sizes: [{ size: 5, least: 600, rounds: 2 }],
});

function rows(size: number, rates: ReadonlyMap<number, readonly number[]>): Ratio[] {
  const alone = median(rates.get(1) ?? []);
  return [...rates]
    .filter(([shops]) => shops > 1)
    .map(([shops, own]) => ({
      what: `orders until they show, ${shops} shops in pushes of ${size}, against one shop`,
      ours: perSecond(median(own)),
      against: perSecond(alone),
      ratio: median(own) / alone,
      goal: { atLeast: 0.6 },
      ...(own.length > 1 && { spread: spread(own) }),
    }));
}

async function newShops(count: number, newShop: BenchContext['newShop']): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < count) {
    const more = Array.from({ length: Math.min(SHOPS_AT_ONCE, count - keys.length) }, () => newShop('tenant'));
    keys.push(...(await Promise.all(more)).map(({ key }) => key));
  }
  return keys;
}
