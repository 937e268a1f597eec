import { startEngines, startShardedEngines, type Engines } from '../support/engines.js';
import { orderBodies } from '../support/generated-orders.js';
import { environmentOf, startService, type Service } from '../support/service.js';
import { interleaved, type Section } from './harness.js';
import { processCpuSeconds } from './processes.js';

const BATCHES = 80;
const BATCH_SIZE = 250;
const ORDERS = BATCHES * BATCH_SIZE;
const CONNECTIONS = 8;
const ROUNDS = 3;

/** The service on so many engines. */
interface Deployment {
  engines: Engines;
  service: Service;
}

/**
 * One import until its figures show, on one engine, two and four: the CPU that all engines together take for an order. Wall time
 * would say nothing where engines share two cores. All orders of an import are on one shard, that of its shop.
 */
export const shards: Section<unknown> = {
  name: 'shards',
  async run() {
    const running: Deployment[] = [];
    const start = async (engines: Engines): Promise<Deployment> => {
      const service = await startService({ base: await environmentOf(engines) });
      const deployment = { engines, service };
      running.push(deployment);
      return deployment;
    };
    try {
      const one = await start(await startEngines());
      const two = await start(await startShardedEngines(2));
      const four = await start(await startShardedEngines(4));
      const measure = (deployment: Deployment) => (round: number) => microsOf(deployment, 40_000 + round);
      const { medians, spreads } = await interleaved(ROUNDS, {
        one: measure(one),
        two: measure(two),
        four: measure(four),
      });
      const cpu = (count: number, ours: number, spread: number) => ({
        what: `CPU an order of ${count} engines, against one`,
        ours: micros(ours),
        against: micros(medians.one),
        ratio: ours / medians.one,
        spread,
        goal: { atMost: count },
      });
      return [cpu(2, medians.two, spreads.two), cpu(4, medians.four, spreads.four)];
    } finally {
      for (const { service, engines } of running) {
        await service.stop();
        await engines.stop();
      }
    }
  },
};

const micros = (figure: number): string => `${Math.round(figure)} µs`;

/** Imports orders of a new shop; resolves to the CPU an order that the engines took until all figures showed. */
async function microsOf({ engines, service }: Deployment, seed: number): Promise<number> {
  const shop = await service.shop({ currency: 'GBP', timezone: 'Europe/London' });
  const bodies = orderBodies(seed, BATCHES, BATCH_SIZE);
  const before = await cpuOf(engines);
  const push = async (): Promise<void> => {
    for (let raw = bodies.pop(); raw !== undefined; raw = bodies.pop()) {
      const headers = { 'Content-Type': 'application/json' };
      const { status, body } = await service.call('POST', '/v1/orders', { key: shop.key, raw, headers });
      if (status !== 200) throw new Error(`a push was answered ${status}: ${JSON.stringify(body)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, push));
  await service.settled();
  return (1e6 * ((await cpuOf(engines)) - before)) / ORDERS;
}

async function cpuOf({ clickhouse, shards: several }: Engines): Promise<number> {
  const seconds = await Promise.all((several?.shards ?? [clickhouse]).map(({ pid }) => processCpuSeconds(pid)));
  return seconds.reduce((sum, own) => sum + own, 0);
}
