import { Agent } from 'node:http';
import { INGEST_KINDS } from '../../src/domain/ingest.js';
import { countLateHours, countPassedHours } from '../../src/warehouse/queries/push-hours.js';
import { literal } from '../../src/warehouse/sql.js';
import type { BenchContext } from './context.js';
import { interleaved, milliseconds, p50, type Interleaved, type Ratio, type Section } from './harness.js';
import { writeHistory } from './history.js';
import { read } from './http-get.js';

const ROUNDS = 9;
const CALLS = 40;
const COMPUTATIONS = 5;
const ORDERS = 1_000_000;
const SMALL_LOG = 10_000;
const LARGE_LOG = 2_000_000;
const DAYS = 60;

/** Of a status that is computed afresh. */
const ALLOWED_MS = 20;

type Subject = 'polled' | 'definitions' | 'computed' | 'select1';
type Times = Interleaved<Subject>;

/**
 * `GET /v1/ingest/status`: polled, against an answer that needs no store at all; computed afresh over a long log, against a
 * short one and against what is allowed. Afresh is as a page finds it that was open ten seconds ago: the API remembers the codes
 * of hours that are counted. The shops have 10^6 orders.
 */
export const status: Section<BenchContext> = {
  name: 'status',
  async run(context) {
    const small = await measure(context, 'short-log', SMALL_LOG);
    const large = await measure(context, 'long-log', LARGE_LOG);
    const slower = large.medians.select1 / small.medians.select1;
    const growth = ratio(
      'status computed at 2 x 10^6 pushes, against 10^4',
      large,
      'computed',
      small.medians.computed,
      1.2,
    );
    return [
      ratio('status polled, against an answer without a store', large, 'polled', large.medians.definitions, 2.5),
      { ...growth, ratio: growth.ratio / slower },
      ratio('status computed at 2 x 10^6 pushes', large, 'computed', ALLOWED_MS, 1),
    ];
  },
};

async function measure(context: BenchContext, name: string, pushes: number): Promise<Times> {
  const { service, warehouse, redis, newShop } = context;
  const { shopId, key } = await newShop(name);
  await writeHistory(context, shopId, ORDERS);
  await writeLog(context, shopId, pushes);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${service.url}/v1/ingest/status`;
  const compute = async (): Promise<void> => {
    await redis.del(`answer:status:{${shopId}}`);
    await read(url, key, agent);
  };
  try {
    return await interleaved(ROUNDS, {
      polled: () => p50(CALLS, () => read(url, key, agent)),
      definitions: () => p50(CALLS, () => read(`${service.url}/v1/metrics/definitions`, key, agent)),
      computed: () => p50(COMPUTATIONS, compute),
      select1: () => p50(CALLS, () => warehouse.query('SELECT 1')),
    });
  } finally {
    agent.destroy();
  }
}

/** A push every few moments of the last sixty days, of all five kinds, every eighth with rejected items. */
async function writeLog(context: BenchContext, shopId: string, pushes: number): Promise<void> {
  const { warehouse, takeStamps } = context;
  const kinds = `[${INGEST_KINDS.map(literal).join(', ')}]`;
  const codes = `['sum_mismatch', 'invalid_money', 'missing_field', 'unknown_field', 'pii_rejected', 'invalid_timestamp']`;
  const bad = 'number % 8 = 0';
  await warehouse.command(`
    INSERT INTO ingest_log (shop_id, kind, received_at, batch_id, accepted, rejected, superseded, errors.code, errors.count, errors.sample)
    SELECT ${literal(shopId)}, ${kinds}[1 + number % 5],
           now64(3) - toIntervalMillisecond(intDiv(number * ${DAYS * 86_400_000}, ${pushes})), toString(number), 200,
           if(${bad}, 2, 0), number % 3,
           if(${bad}, [${codes}[1 + intDiv(number, 8) % 6]], []), if(${bad}, [2], []), if(${bad}, ['a sample'], [])
    FROM numbers(${pushes})`);
  // As a worker does hour by hour.
  const deps = { warehouse, takeStamps, now: Date.now };
  while (await countPassedHours(deps));
  const now = Date.now();
  const hours = Array.from({ length: (DAYS + 1) * 24 }, (_, i) => now - i * 3_600_000);
  for (const kind of INGEST_KINDS) {
    await countLateHours(
      deps,
      hours.map((received_at) => ({ shop_id: shopId, kind, received_at })),
    );
  }
}

function ratio(what: string, { medians, spreads }: Times, subject: Subject, against: number, atMost: number): Ratio {
  const ours = medians[subject];
  const texts = { what, ours: milliseconds(ours), against: milliseconds(against) };
  return { ...texts, ratio: ours / against, spread: spreads[subject], goal: { atMost } };
}
