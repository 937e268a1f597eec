import type { IngestKind } from '../../domain/ingest.js';
import {
  COVERAGE_DAYS,
  TOP_CODES,
  toIngestStatus,
  WINDOWS,
  type IngestStatus,
  type KindStatus,
  type TopErrorCode,
  type Window,
} from '../../domain/ingest-status.js';
import type { CoverageCounts } from '../../domain/metrics/coverage.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';

/** The instant and the local day up to which a status is read. */
export interface StatusMoment {
  nowMs: number;
  /** Today in the time zone of the shop, in days since 1970. */
  today: number;
}

/** Reads the ingest log and the rollups of one shop. Rejects when the warehouse does. */
export type ReadIngestStatus = (shopId: string, moment: StatusMoment) => Promise<IngestStatus>;

/** A query outlives its request by no more than this. */
const LIMITS = 'SETTINGS max_execution_time = 8';
// Both halves of a repeated write carry the same time, so they lie in one partition and merging within it is enough.
const LOG_LIMITS = `${LIMITS}, do_not_merge_across_partitions_select_final = 1`;

const OUTCOMES = ['accepted', 'rejected', 'superseded'] as const;
const windowSums = (Object.entries(WINDOWS) as [Window, number][])
  .flatMap(([name, hours]) => {
    const since = `received_at > fromUnixTimestamp64Milli({now:Int64}) - INTERVAL ${hours} HOUR`;
    return OUTCOMES.map((outcome) => `sumIf(${outcome}, ${since}) AS ${outcome}_${name}`);
  })
  .join(', ');
const SINCE_LONGEST = `shop_id = {shop:String}
  AND received_at > fromUnixTimestamp64Milli({now:Int64}) - INTERVAL ${WINDOWS['30d']} HOUR`;

const COUNTS = `SELECT kind, ${windowSums} FROM ingest_log FINAL WHERE ${SINCE_LONGEST} GROUP BY kind ${LOG_LIMITS}`;

/** First and last push of a kind that brought something. A push that was logged twice changes neither. */
const RECEIVED = `SELECT kind, toString(toUnixTimestamp64Milli(max(received_at))) AS last,
    toString(toUnixTimestamp64Milli(min(received_at))) AS first
  FROM ingest_log WHERE shop_id = {shop:String} AND accepted > 0 GROUP BY kind ${LIMITS}`;

/** The newest message of a code is its sample: the choice depends on the rows alone, so the answer's ETag holds. */
const CODES = `SELECT kind, code, sum(code_count) AS count, argMax(sample, (received_at, batch_id)) AS sample_message
  FROM (
    SELECT kind, received_at, batch_id, errors.code AS codes, errors.count AS counts, errors.sample AS samples
    FROM ingest_log FINAL WHERE ${SINCE_LONGEST} AND notEmpty(errors.code)
  )
  ARRAY JOIN codes AS code, counts AS code_count, samples AS sample
  GROUP BY kind, code ORDER BY kind, count DESC, code LIMIT ${TOP_CODES} BY kind ${LOG_LIMITS}`;

const COVERAGE = `SELECT sum(orders) AS orders, sum(orders_costed) AS costed, sum(orders_fee_actual) AS fee_actual,
    sum(orders_tax_present) AS tax_present
  FROM daily_orders FINAL WHERE shop_id = {shop:String} AND day BETWEEN {from:Date} AND {to:Date} ${LIMITS}`;

type CountRow = { kind: IngestKind } & Record<`${(typeof OUTCOMES)[number]}_${Window}`, string>;
interface ReceivedRow {
  kind: IngestKind;
  first: string;
  last: string;
}
interface CodeRow {
  kind: IngestKind;
  code: string;
  count: string;
  sample_message: string;
}
interface CoverageRow {
  orders: string;
  costed: string;
  fee_actual: string;
  tax_present: string;
}

export function createIngestStatusReader(warehouse: Warehouse): ReadIngestStatus {
  const received = createReceivedReader(warehouse);
  return async (shopId, { nowMs, today }) => {
    const shop = { shop: shopId };
    const log = { ...shop, now: nowMs };
    const range = { ...shop, from: formatDay(today - COVERAGE_DAYS + 1), to: formatDay(today) };
    const [counts, times, codes, coverage] = await Promise.all([
      warehouse.query<CountRow>(COUNTS, log),
      received(shopId),
      warehouse.query<CodeRow>(CODES, log),
      warehouse.query<CoverageRow>(COVERAGE, range),
    ]);
    const kinds = new Set([...counts.map((row) => row.kind), ...times.keys()]);
    const status = new Map(
      [...kinds].map((kind): [IngestKind, KindStatus] => {
        const last = times.get(kind)?.lastMs;
        return [
          kind,
          {
            last_received_at: last === undefined ? null : new Date(last).toISOString(),
            windows: toWindows(counts.find((row) => row.kind === kind)),
            top_error_codes: codes.filter((row) => row.kind === kind).map(toTopCode),
          },
        ];
      }),
    );
    return toIngestStatus(status, toCoverage(coverage[0]));
  };
}

/** Milliseconds of the first and the last push of a kind of which something was accepted. */
export interface Received {
  firstMs: number;
  lastMs: number;
}
export type ReadReceived = (shopId: string) => Promise<Map<IngestKind, Received>>;

export function createReceivedReader(warehouse: Warehouse): ReadReceived {
  return async (shopId) => {
    const rows = await warehouse.query<ReceivedRow>(RECEIVED, { shop: shopId });
    return new Map(rows.map(({ kind, first, last }) => [kind, { firstMs: Number(first), lastMs: Number(last) }]));
  };
}

function toWindows(row: Record<string, string> | undefined): KindStatus['windows'] {
  const count = (outcome: string, window: string): number => Number(row?.[`${outcome}_${window}`] ?? 0);
  const names = Object.keys(WINDOWS) as Window[];
  return Object.fromEntries(
    names.map((window) => [
      window,
      {
        accepted: count('accepted', window),
        rejected: count('rejected', window),
        superseded: count('superseded', window),
      },
    ]),
  ) as KindStatus['windows'];
}

function toTopCode({ code, count, sample_message }: CodeRow): TopErrorCode {
  return { code, count: Number(count), sample_message };
}

function toCoverage(row: CoverageRow | undefined): CoverageCounts {
  return {
    orders: Number(row?.orders ?? 0),
    costed: Number(row?.costed ?? 0),
    feeActual: Number(row?.fee_actual ?? 0),
    taxPresent: Number(row?.tax_present ?? 0),
  };
}
