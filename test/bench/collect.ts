import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { createPlainEncoder } from '../../src/intake/plain/encoder.js';
import { PackedRows } from '../../src/intake/plain/packed-rows.js';
import { QUEUE_PREFIX, unpackSegments } from '../../src/queue/jobs.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import { INSERT_EVENTS } from '../../src/warehouse/events.js';
import type { CollectLoadOrder, CollectLoadResult } from './collect-load.js';
import type { BenchContext } from './context.js';
import { emptied } from './drain.js';
import { eventBodies } from './events.js';
import { interleaved, milliseconds, perSecond, type Section } from './harness.js';
import { startProcess } from './processes.js';

const ROUNDS = 5;
/** Enough that the first round, which counts nowhere, leaves every thread's code compiled. */
const REQUESTS = 12_000;
const CONNECTIONS = 128;
const EVENTS_PER_REQUEST = 20;
/** About what the worker joins from a full queue. */
const REQUESTS_PER_INSERT = 5_000;
const RAW_INSERTS = 6;
const INSERTS_AT_ONCE = 2;
const RAW_SEED = 1_000;

/**
 * Durable collect requests a second (20 events each, every one in the append-only file before its answer), with no worker
 * running, against stock Express that answers 204 to the same bytes without reading them, and against the own server that
 * only reads, parses and checks them. Then what was queued drains into the warehouse, against raw inserts of such rows.
 */
export const collect: Section<BenchContext> = {
  name: 'collect',
  async run({ service, warehouse, newToken }) {
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
      const raw = await insertRaw(warehouse);
      return [
        row('durable collect, against stock Express 204', figures.ours, figures.stock, 1),
        row('durable collect, against parse and validation', figures.ours, figures.parse, 0.7),
        {
          ...{ what: `p99 of a collect request, ${CONNECTIONS} connections`, ours: milliseconds(worst) },
          ...{ against: milliseconds(250), ratio: worst / 250, goal: { atMost: 1 } },
        },
        {
          ...{ what: 'drained events, against raw inserts of the rows', ours: perSecond(drained) },
          ...{ against: perSecond(raw), ratio: drained / raw, goal: { atLeast: 0.4 } },
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

/** Events a second of rows that are ready-made, in inserts as large as the worker's and as many at once. */
async function insertRaw(warehouse: Warehouse): Promise<number> {
  const encoder = createPlainEncoder();
  const inserts = Array.from({ length: RAW_INSERTS }, (_, i) => {
    const rows = eventBodies(RAW_SEED + i, REQUESTS_PER_INSERT, '').map((body, k) => {
      encoder.read(body);
      const receivedAt = Date.now();
      const arrival = receivedAt * 1000 + k * EVENTS_PER_REQUEST;
      const encoded = encoder.encode({ shopId: 'collect-raw', shopHost: '', receivedAt, arrival });
      if (encoded === null) throw new Error('a batch of the bench is not plain');
      const packed = new PackedRows();
      packed.append(encoded.elements, encoded.length);
      return unpackSegments(packed.packed().bytes.toString('base64'), 1);
    });
    return Buffer.concat(rows.flat());
  });
  const events = RAW_INSERTS * REQUESTS_PER_INSERT * EVENTS_PER_REQUEST;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: INSERTS_AT_ONCE }, async () => {
      for (let rows = inserts.pop(); rows; rows = inserts.pop()) await warehouse.insertBytes(INSERT_EVENTS, rows);
    }),
  );
  return (1000 * events) / (performance.now() - startedAt);
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
