import type { OrderInput } from '../../src/domain/orders/orders.js';
import { localDayIn } from '../../src/domain/zones/local-day.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import {
  createOrderEncoder,
  ORDER_DAYS_HEAD,
  ORDERS_HEAD,
  type OrderRows,
} from '../../src/warehouse/columns/orders.js';
import { insertRows } from '../../src/warehouse/insert-rows.js';
import type { BenchContext } from './context.js';
import { interleaved, median, perSecond, spread, type Ratio, type Section } from './harness.js';
import type { LoadResult } from './load.js';
import { openQueues } from './queues.js';
import { computed } from './waits.js';
import { createOrders } from '../support/generated-orders.js';
import { startProcess } from './processes.js';

interface Pushes {
  batches: number;
  batchSize: number;
}

const LARGE: Pushes = { batches: 160, batchSize: 250 };
/** The plain app makes one insert of each push. */
const SMALL: Pushes = { batches: 1_000, batchSize: 5 };
/** Of the raw inserts: as large as the worker's largest, and as many at once. */
const ROWS_PER_INSERT = 10_000;
const INSERTS_AT_ONCE = 2;

/**
 * Orders a second from a full queue into the warehouse (rows, settling of earlier versions, log), against inserting the
 * same rows ready-made, and against a plain app's worker, which only stores. The queue is filled while it is paused; the time runs
 * from its opening to its last job, and on until the rollups of the last day are computed.
 */
export const drain: Section<BenchContext> = {
  name: 'drain',
  async run({ rounds, service, warehouse, redis, newShop }) {
    const load = startProcess('load.ts');
    const worker = service.startWorker();
    const queues = openQueues(service.redisUrl, ['orders']);
    const [plain, plainWorker] = [startProcess('plain-app.ts'), startProcess('plain-worker.ts')];
    try {
      const { CLICKHOUSE_URL: clickhouseUrl = '', CLICKHOUSE_DATABASE: database = '' } = service.env;
      const { port } = await plain.ask<{ port: number }>({ redisUrl: service.redisUrl });
      await plainWorker.ask({ redisUrl: service.redisUrl, clickhouseUrl, database });
      const send = async (pushes: Pushes, url: string, own: string, round: number): Promise<void> => {
        const order = { url, keys: [own], seed: 2_000 + round, connections: 8, ...pushes };
        const { statuses } = await load.ask<LoadResult>(order);
        if (statuses[200] !== pushes.batches) throw new Error(`answers of ${url}: ${JSON.stringify(statuses)}`);
      };
      const { shopId, key } = await newShop('drain');
      /** Orders a second until the queue is empty, and until their figures show. */
      const ofOurs = async (pushes: Pushes, round: number): Promise<{ drained: number; shown: number }> => {
        const orders = pushes.batches * pushes.batchSize;
        await queues.pause();
        await send(pushes, `${service.url}/v1/orders`, key, round);
        const startedAt = performance.now();
        await queues.resume();
        await queues.emptied();
        const drained = (1000 * orders) / (performance.now() - startedAt);
        await computed(redis);
        return { drained, shown: (1000 * orders) / (performance.now() - startedAt) };
      };
      const ofApp = async (pushes: Pushes, round: number): Promise<number> => {
        await send(pushes, `http://127.0.0.1:${port}/v1/orders`, '', round);
        const startedAt = performance.now();
        await plainWorker.ask({ jobs: pushes.batches });
        return (1000 * pushes.batches * pushes.batchSize) / (performance.now() - startedAt);
      };
      const shown: number[] = [];
      const { medians, spreads } = await interleaved(rounds, {
        async ours(round) {
          const speeds = await ofOurs(LARGE, round);
          if (round > 0) shown.push(speeds.shown);
          return speeds.drained;
        },
        against: (round) => insertRaw(warehouse, `${shopId}-raw`, 2_000 + round),
        app: (round) => ofApp(LARGE, round),
      });
      const small = await interleaved(rounds, {
        ours: async (round) => (await ofOurs(SMALL, 100 + round)).shown,
        against: (round) => ofApp(SMALL, 100 + round),
      });
      const row = (what: string, ours: number, own: number, other: 'against' | 'app', atLeast: number): Ratio => ({
        what,
        ours: perSecond(ours),
        against: perSecond(medians[other]),
        ratio: ours / medians[other],
        goal: { atLeast },
        spread: own,
      });
      const until = 'drained until the figures show';
      return [
        row('drained orders, against raw inserts of the rows', medians.ours, spreads.ours, 'against', 0.3),
        row(`${until}, against raw inserts`, median(shown), spread(shown), 'against', 0.22),
        row(`${until}, against rows that the plain app stores`, median(shown), spread(shown), 'app', 3.5),
        {
          what: `${until}, ${SMALL.batchSize} a push, against rows that the plain app stores`,
          ours: perSecond(small.medians.ours),
          against: perSecond(small.medians.against),
          ratio: small.medians.ours / small.medians.against,
          goal: { atLeast: 3.5 },
          spread: small.spreads.ours,
        },
      ];
    } finally {
      await queues.close();
      await Promise.all([load, worker, plain, plainWorker].map((running) => running.stop()));
    }
  },
};

async function insertRaw(warehouse: Warehouse, shopId: string, seed: number): Promise<number> {
  const next = createOrders(seed);
  const localDay = localDayIn('Europe/London');
  const inserts: OrderRows[] = [];
  for (let from = 0; from < LARGE.batches * LARGE.batchSize; from += ROWS_PER_INSERT) {
    const orders = Array.from({ length: ROWS_PER_INSERT }, () => next() as unknown as OrderInput);
    const all = orders.map(() => true);
    const encoder = createOrderEncoder();
    encoder.begin(shopId, localDay);
    for (const order of orders) encoder.add(order);
    inserts.push(encoder.rows(all, 1 + from));
  }
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: INSERTS_AT_ONCE }, async () => {
      for (let rows = inserts.pop(); rows; rows = inserts.pop()) {
        await insertRows(warehouse, 'orders', [{ head: ORDERS_HEAD, rows: rows.orders }]);
        await insertRows(warehouse, 'order_days', [{ head: ORDER_DAYS_HEAD, rows: rows.orderDays }]);
      }
    }),
  );
  return (1000 * LARGE.batches * LARGE.batchSize) / (performance.now() - startedAt);
}
