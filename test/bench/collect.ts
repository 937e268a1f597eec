import { enrichEvent } from '../../src/domain/events/enrich.js';
import { collectEventValidator } from '../../src/schemas/collect.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import { createEventWriter, EVENT_HEAD } from '../../src/warehouse/columns/events.js';
import { insertRows } from '../../src/warehouse/insert-rows.js';
import { RowBinaryWriter } from '../../src/warehouse/columns/row-binary.js';
import type { CollectLoadOrder, CollectLoadResult } from './collect-load.js';
import type { BenchContext } from './context.js';
import { eventBodies, type EventBodies } from '../support/generated-events.js';
import { interleaved, milliseconds, perSecond, type Interleaved, type Ratio, type Section } from './harness.js';
import { startProcess } from './processes.js';
import { openQueues, type BenchQueues } from './queues.js';

const CONNECTIONS = 128;
/** About what the worker joins from a full queue. */
const REQUESTS_PER_INSERT = 5_000;
const RAW_INSERTS = 6;
const INSERTS_AT_ONCE = 2;
const RAW_SEED = 1_000;

interface Load extends EventBodies {
  events: number;
  /** Enough that the first round, which counts nowhere, leaves the code compiled. */
  requests: number;
}

/** What pixels send, the same with a purchase, and the largest batch. */
const SMALL: Load = { events: 2, requests: 20_000 };
const PURCHASE: Load = { ...SMALL, purchase: true };
const LARGE: Load = { events: 20, requests: 8_000 };

/**
 * Durable collect requests a second (every event in the append-only file before its answer), with no worker running, against
 * stock Express that answers 204 to the same bytes without reading them, against the own server that only reads, parses and
 * checks them, and against a plain app of the same packages. Then what was queued drains into the warehouse, against raw
 * inserts of such rows.
 */
export const collect: Section<BenchContext> = {
  name: 'collect',
  async run({ rounds, service, warehouse, newToken }) {
    const load = startProcess('collect-load.ts');
    const stock = startProcess('stock-express.ts');
    const parse = startProcess('parse-only.ts');
    const plain = startProcess('plain-app.ts');
    const queues = openQueues(service.redisUrl, ['events']);
    try {
      const { token } = await newToken('collect');
      const own = Number(new URL(service.url).port);
      const { port: stockPort } = await stock.ask<{ port: number }>({});
      const { port: parsePort } = await parse.ask<{ port: number }>(service.env);
      const { port: plainPort } = await plain.ask<{ port: number }>({ redisUrl: service.redisUrl });
      const waits: number[] = [];
      let seed = 0;
      const measure =
        (port: number, { requests, ...bodies }: Load) =>
        async (): Promise<number> => {
          const order: CollectLoadOrder = { port, token, seed: seed++, requests, connections: CONNECTIONS, ...bodies };
          const { seconds, p99 } = await load.ask<CollectLoadResult>(order);
          if (port === own) waits.push(p99);
          return requests / seconds;
        };
      const small = await interleaved(rounds, {
        ours: measure(own, SMALL),
        purchase: measure(own, PURCHASE),
        stock: measure(stockPort, SMALL),
        parse: measure(parsePort, SMALL),
        plain: measure(plainPort, SMALL),
      });
      const large = await interleaved(rounds, { ours: measure(own, LARGE), parse: measure(parsePort, LARGE) });
      const worst = Math.max(...waits.slice(2));
      const sent = [SMALL, PURCHASE, LARGE].reduce((sum, { requests, events }) => sum + requests * events, 0);
      const drained = await drainAll(queues, service.startWorker, (rounds + 1) * sent);
      const raw = await insertRaw(warehouse);
      return [
        row('collect, 2 events, against stock Express 204', small, 'ours', 'stock', 1),
        row('collect, 2 events, against parse and validation', small, 'ours', 'parse', 0.85),
        row('collect, 2 events, against a plain app of the same packages', small, 'ours', 'plain', 1),
        row('collect with a purchase, against one without', small, 'purchase', 'ours', 0.9),
        row('collect, 20 events, against parse and validation', large, 'ours', 'parse', 0.6),
        {
          what: `p99 of a collect request, ${CONNECTIONS} connections`,
          ours: milliseconds(worst),
          against: milliseconds(250),
          ratio: worst / 250,
          goal: { atMost: 1 },
        },
        {
          what: 'drained events, against raw inserts of the rows',
          ours: perSecond(drained),
          against: perSecond(raw),
          ratio: drained / raw,
          goal: { atLeast: 0.4 },
        },
      ];
    } finally {
      await queues.close();
      await Promise.all([load.stop(), stock.stop(), parse.stop(), plain.stop()]);
    }
  },
};

function row<Name extends string>(
  what: string,
  of: Interleaved<Name>,
  name: Name,
  other: Name,
  atLeast: number,
): Ratio {
  const [ours, against] = [of.medians[name], of.medians[other]];
  const spread = of.spreads[name];
  return { what, ours: perSecond(ours), against: perSecond(against), ratio: ours / against, goal: { atLeast }, spread };
}

/** Events a second of rows that are ready-made, in inserts as large as the worker's and as many at once. */
async function insertRaw(warehouse: Warehouse): Promise<number> {
  const inserts = Array.from({ length: RAW_INSERTS }, (_, i) => {
    const rows = new RowBinaryWriter();
    const write = createEventWriter(rows);
    const context = { userAgent: '', receivedAtMs: Date.now(), shopDomain: '' };
    eventBodies(RAW_SEED + i, REQUESTS_PER_INSERT, '').forEach((body, k) => {
      const { events } = JSON.parse(body.toString()) as { events: unknown[] };
      events.forEach((event, j) => {
        if (!collectEventValidator.is(event)) throw new Error('an event of the bench is not valid');
        const { row } = enrichEvent(event, context);
        if (row === undefined) throw new Error('an event of the bench is dropped');
        write('collect-raw', row, context.receivedAtMs * 1000 + k * LARGE.events + j);
      });
    });
    return rows.bytes();
  });
  const events = RAW_INSERTS * REQUESTS_PER_INSERT * LARGE.events;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: INSERTS_AT_ONCE }, async () => {
      for (let rows = inserts.pop(); rows; rows = inserts.pop()) {
        await insertRows(warehouse, 'events', [{ head: EVENT_HEAD, rows }]);
      }
    }),
  );
  return (1000 * events) / (performance.now() - startedAt);
}

async function drainAll(
  queues: BenchQueues,
  startWorker: BenchContext['service']['startWorker'],
  events: number,
): Promise<number> {
  const startedAt = performance.now();
  const worker = startWorker();
  try {
    await queues.emptied();
    return (1000 * events) / (performance.now() - startedAt);
  } finally {
    await worker.stop();
  }
}
