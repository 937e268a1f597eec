import { availableParallelism } from 'node:os';
import type { BenchContext } from './context.js';
import { median, perSecond, spread, type Ratio, type Section } from './harness.js';
import type { LoadResult } from './load.js';
import { processCpuSeconds, startProcess, type BenchProcess } from './processes.js';
import { openQueues } from './queues.js';
import { computed } from './waits.js';

const ROUNDS = 5;
const SHOPS = 20;
const BATCHES = 160;
const BATCH_SIZE = 250;
const ORDERS = BATCHES * BATCH_SIZE;
/** With fewer cores the warehouse has none left for a second worker. */
const CORES_FOR_TWO = 4;

interface Run {
  rate: number;
  cpuMicros: number;
}

/**
 * A full queue of many shops until all figures show, with two workers against one: orders a second, and the CPU that an
 * order takes of workers and warehouse.
 */
export const workers: Section<BenchContext> = {
  name: 'workers',
  async run({ service, warehouse, redis, newShop }) {
    const load = startProcess('load.ts');
    const queues = openQueues(service.redisUrl, ['orders']);
    const shops = await Promise.all(Array.from({ length: SHOPS }, () => newShop('workers')));
    const keys = shops.map(({ key }) => key);
    const warehouseCpu = async (): Promise<number> => {
      const [row] = await warehouse.query<{ micros: string }>(
        `SELECT sum(value) AS micros FROM system.events WHERE event IN ('UserTimeMicroseconds', 'SystemTimeMicroseconds')`,
      );
      return Number(row?.micros ?? 0);
    };
    const measure = async (count: number, seed: number): Promise<Run> => {
      await queues.pause();
      const url = `${service.url}/v1/orders`;
      const order = { url, keys, seed, batches: BATCHES, batchSize: BATCH_SIZE, connections: 8 };
      const { statuses } = await load.ask<LoadResult>(order);
      if (statuses[200] !== BATCHES) throw new Error(`answers of ${url}: ${JSON.stringify(statuses)}`);
      const running: BenchProcess[] = Array.from({ length: count }, () => service.startWorker());
      try {
        const [before, startedAt] = [await warehouseCpu(), performance.now()];
        await queues.resume();
        await queues.emptied();
        await computed(redis);
        const rate = (1000 * ORDERS) / (performance.now() - startedAt);
        const own = (await Promise.all(running.map(({ pid }) => processCpuSeconds(pid)))).reduce((a, b) => a + b, 0);
        return { rate, cpuMicros: ((await warehouseCpu()) - before + own * 1e6) / ORDERS };
      } finally {
        await Promise.all(running.map((worker) => worker.stop()));
      }
    };
    try {
      const runs: Record<1 | 2, Run[]> = { 1: [], 2: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        for (const count of round % 2 === 0 ? ([1, 2] as const) : ([2, 1] as const)) {
          const run = await measure(count, 20_000 + 2 * round + count);
          if (round > 0) runs[count].push(run);
        }
      }
      return rows(runs);
    } finally {
      await queues.close();
      await load.stop();
    }
  },
};

function rows(runs: Record<1 | 2, Run[]>): Ratio[] {
  const [ones, twos] = [runs[1], runs[2]];
  const rates = twos.map(({ rate }) => rate);
  const cpus = twos.map(({ cpuMicros }) => cpuMicros);
  const [one, two] = [median(ones.map(({ rate }) => rate)), median(rates)];
  const [oneCpu, twoCpu] = [median(ones.map(({ cpuMicros }) => cpuMicros)), median(cpus)];
  const micros = (figure: number): string => `${Math.round(figure)} µs`;
  return [
    {
      what: `two workers against one, ${availableParallelism()} cores`,
      ours: perSecond(two),
      against: perSecond(one),
      ratio: two / one,
      spread: spread(rates),
      goal: { atLeast: availableParallelism() >= CORES_FOR_TWO ? 1.6 : 0.8 },
    },
    {
      what: 'CPU an order with two workers, against one',
      ours: micros(twoCpu),
      against: micros(oneCpu),
      ratio: twoCpu / oneCpu,
      spread: spread(cpus),
      goal: { atMost: 1.2 },
    },
  ];
}
