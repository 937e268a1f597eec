import type { IngestHeader } from '../../domain/ingest.js';
import { MS_PER_HOUR } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { shardAt, type WarehouseShards } from '../cluster/sharded-warehouse.js';
import { dateTimeText } from '../columns/date-time.js';
import { literal, ONE_THREAD } from '../sql.js';
import { defineQuery, texts } from '../query.js';

export interface PushCountDeps {
  warehouse: Warehouse;
  takeStamps: () => Promise<number>;
  now: () => number;
}

/** By what an hour of a push is known. */
type PushPlace = Pick<IngestHeader, 'shop_id' | 'kind' | 'received_at'>;

/**
 * An hour is counted this long after its end, and a push that is written `LATE_MS` after the end of its hour has it counted
 * again. The hour in between is for clocks that differ and for inserts that take long: each push is in one count or the other.
 */
const COUNT_MS = 3 * MS_PER_HOUR;
const LATE_MS = 2 * MS_PER_HOUR;
/** Of one count: no more pushes unless one hour has them, and no more hours. */
const MAX_PUSHES = 250_000;
const MAX_HOURS = 744;

/** The beginning of the hour of an instant. */
const hourOf = (ms: number): number => Math.floor(ms / MS_PER_HOUR) * MS_PER_HOUR;
/** An instant in SQL. */
export const at = (ms: number): string => `fromUnixTimestamp64Milli(toInt64(${ms}))`;

/** How long it is known until when hours are counted. */
const COUNTED_MS = 60_000;

const COUNTED_UNTIL = defineQuery('end of the counted hours', texts('seconds'));

/** Until when all hours of a shard are counted, in milliseconds; 0 when none is. The shard notes it in a row without a shop. */
export async function readCountedUntil(warehouse: Warehouse): Promise<number> {
  const [row] = await warehouse.ask(
    COUNTED_UNTIL(
      `SELECT toString(toUnixTimestamp(max(hour))) AS seconds FROM push_hours WHERE shop_id = '' AND kind = ''`,
    ),
  );
  return Number(row?.seconds ?? 0) * 1_000;
}

/** Until when hours of a shop were counted some moments ago: they still are, and a little more is read push by push. */
export type CountedUntil = (shopId: string) => Promise<number>;

/** Each shard has its hours counted by itself. */
export function recentlyCounted(shards: WarehouseShards): CountedUntil {
  const known = new Map<Warehouse, { until: number; readAt: number }>();
  return async (shopId) => {
    const shard = shardAt(shards, shopId);
    const now = performance.now();
    let counted = known.get(shard);
    if (counted === undefined || now - counted.readAt > COUNTED_MS) {
      counted = { until: await readCountedUntil(shard), readAt: now };
      known.set(shard, counted);
    }
    return counted.until;
  };
}

export const OWN = 'shop_id = {shop:String}';

/** A query outlives its request by no more than this. It reads few rows: a second thread costs more than it does. */
export const LIMITS = `${ONE_THREAD}, max_execution_time = 8`;
/** All counts of an hour lie in one partition, so that merging within it is enough. */
export const COUNTER_LIMITS = `${LIMITS}, do_not_merge_across_partitions_select_final = 1`;

/**
 * The pushes of the log for which a condition holds, each once however often it was written. Rows come in the order of the key, so
 * that merging them takes less than grouping them: 26 and 34 ms of CPU for an hour of 600 shops, 20 and 26 for four of one shop.
 */
export const pushesWhere = (condition: string): string =>
  `SELECT shop_id, kind, received_at, batch_id, accepted, rejected, superseded, errors.code AS codes,
     errors.count AS counts, arrayMap(sample -> (received_at, batch_id, sample), errors.sample) AS newest
   FROM ingest_log FINAL WHERE ${condition}`;

/** Counts the hours of the pushes for which a condition holds: for all pushes of an hour of a shop and kind, or for none. */
async function countHours({ warehouse }: PushCountDeps, condition: string, stamp: number): Promise<void> {
  await warehouse.run({
    name: 'count hours of pushes',
    sql: `INSERT INTO push_hours (shop_id, kind, hour, counted_at, accepted, rejected, superseded, first_at, last_at,
       errors.code, errors.count, errors.newest)
     SELECT p.shop_id, p.kind, toStartOfHour(p.received_at) AS hour, ${stamp}, sum(p.accepted), sum(p.rejected),
       sum(p.superseded), minIf(p.received_at, p.accepted > 0), maxIf(p.received_at, p.accepted > 0),
       sumMap(p.codes, p.counts).1, sumMap(p.codes, p.counts).2, maxMap(p.codes, p.newest).2
     FROM (${pushesWhere(condition)}) AS p
     GROUP BY p.shop_id, p.kind, hour`,
  });
}

const UNCOUNTED_HOURS = defineQuery('hours to count', texts('seconds', 'pushes'));

/**
 * Counts the hours that have been over for long enough, oldest first, up to a bound; true when there are more. Two that do
 * it at once do the same work twice and change nothing.
 */
export async function countPassedHours(deps: PushCountDeps): Promise<boolean> {
  const { warehouse, takeStamps, now } = deps;
  const end = hourOf(now() - COUNT_MS);
  const stamp = await takeStamps();
  const begin = await readCountedUntil(warehouse);
  if (begin >= end) return false;
  const hours = await warehouse.ask(
    UNCOUNTED_HOURS(`SELECT toString(toUnixTimestamp(toStartOfHour(received_at))) AS seconds, count() AS pushes
     FROM ingest_log WHERE received_at >= ${at(begin)} AND received_at < ${at(end)}
     GROUP BY seconds ORDER BY toUInt64(seconds) LIMIT ${MAX_HOURS}`),
  );
  let until = end;
  for (let pushes = 0, i = 0; i < hours.length; i++) {
    pushes += Number(hours[i]?.pushes ?? 0);
    if (pushes < MAX_PUSHES && i < MAX_HOURS - 1) continue;
    until = Math.min(end, Number(hours[i]?.seconds ?? 0) * 1_000 + MS_PER_HOUR);
    break;
  }
  if (hours.length > 0) await countHours(deps, `received_at >= ${at(begin)} AND received_at < ${at(until)}`, stamp);
  await warehouse.insert('push_hours', [
    { shop_id: '', kind: '', hour: dateTimeText(until).slice(0, 19), counted_at: stamp },
  ]);
  return until < end;
}

/** Counts the hours again to which pushes came late. Called once their rows are stored. */
export async function countLateHours(deps: PushCountDeps, pushes: readonly PushPlace[]): Promise<void> {
  const passed = deps.now() - LATE_MS;
  const late = pushes.filter((push) => isPushPlace(push) && hourOf(push.received_at) + MS_PER_HOUR <= passed);
  if (late.length === 0) return;
  const hours = late.map((push) => hourOf(push.received_at));
  const keys = new Set(
    late.map((push) => `(${literal(push.shop_id)},${literal(push.kind)},${hourOf(push.received_at) / 1_000})`),
  );
  const shops = new Set(late.map((push) => literal(push.shop_id)));
  const condition = `shop_id IN (${[...shops].join(',')})
    AND received_at >= ${at(Math.min(...hours))} AND received_at < ${at(Math.max(...hours) + MS_PER_HOUR)}
    AND (shop_id, kind, toUnixTimestamp(toStartOfHour(received_at))) IN (${[...keys].join(',')})`;
  await countHours(deps, condition, await deps.takeStamps());
}

/** False for a push of a damaged job, whose row the warehouse has taken all the same. */
function isPushPlace({ shop_id, kind, received_at }: PushPlace): boolean {
  return [shop_id, kind].every((text: unknown) => typeof text === 'string') && Number.isFinite(received_at);
}
