import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { QUEUE_PREFIX } from '../../src/queue/jobs.js';
import type { CollectLoadOrder, CollectLoadResult } from './collect-load.js';
import type { BenchContext } from './context.js';
import { emptied } from './drain.js';
import { interleaved, milliseconds, perSecond, type Section } from './harness.js';
import { startProcess } from './processes.js';

const ROUNDS = 5;
/** Enough that the first round, which counts nowhere, leaves every thread's code compiled. */
const REQUESTS = 12_000;
const CONNECTIONS = 128;
const EVENTS_PER_REQUEST = 20;

/**
 * Durable collect requests a second (20 events each, every one in the append-only file before its answer), with no worker
 * running, against stock Express that answers 204 to the same bytes without reading them, and against the own server that
 * only reads, parses and checks them. Then what was queued drains into the warehouse.
 */
export const collect: Section<BenchContext> = {
  name: 'collect',
  async run({ service, newToken }) {
    const load = startProcess('collect-load.ts');
    const stock = startProcess('stock-express.ts');
    const parse = startProcess('parse-only.ts');
    const connection = new Redis(service.redisUrl, { maxRetriesPerRequest: null });
    const queue = new Queue('events', { connection, prefix: QUEUE_PREFIX });
    try {
      const { token } = await newToken('collect');
      const { port: stockPort } = await stock.ask<{ port: number }>({});
      const { port: parsePort } = await parse.ask<{ port: number }>(service.env);
      const waits: number[] = [];
      const measure = (port: number, note: (result: CollectLoadResult) => void = () => undefined) => {
        return async (round: number): Promise<number> => {
          const order: CollectLoadOrder = { port, token, seed: round, requests: REQUESTS, connections: CONNECTIONS };
          const result = await load.ask<CollectLoadResult>(order);
          note(result);
          return REQUESTS / result.seconds;
        };
      };
      const figures = await interleaved(ROUNDS, {
        ours: measure(Number(new URL(service.url).port), ({ p99 }) => waits.push(p99)),
        stock: measure(stockPort),
        parse: measure(parsePort),
      });
      const worst = Math.max(...waits.slice(1));
      const drained = await drainAll(queue, service.startWorker);
      return [
        row('durable collect, against stock Express 204', figures.ours, figures.stock, 1),
        row('durable collect, against parse and validation', figures.ours, figures.parse, 0.7),
        {
          ...{ what: `p99 of a collect request, ${CONNECTIONS} connections`, ours: milliseconds(worst) },
          ...{ against: milliseconds(250), ratio: worst / 250, goal: { atMost: 1 } },
        },
        {
          ...{ what: 'drained events, against those accepted', ours: perSecond(drained) },
          ...{ against: perSecond(figures.ours * EVENTS_PER_REQUEST) },
          ...{ ratio: drained / (figures.ours * EVENTS_PER_REQUEST), goal: { atLeast: 1 } },
        },
      ];
    } finally {
      await queue.close();
      connection.disconnect();
      await Promise.all([load.stop(), stock.stop(), parse.stop()]);
    }
  },
};

function row(what: string, ours: number, against: number, atLeast: number) {
  return { what, ours: perSecond(ours), against: perSecond(against), ratio: ours / against, goal: { atLeast } };
}

async function drainAll(queue: Queue, startWorker: BenchContext['service']['startWorker']): Promise<number> {
  const startedAt = performance.now();
  const worker = startWorker();
  try {
    await emptied(queue);
    const events = (ROUNDS + 1) * REQUESTS * EVENTS_PER_REQUEST;
    return (1000 * events) / (performance.now() - startedAt);
  } finally {
    await worker.stop();
  }
}
