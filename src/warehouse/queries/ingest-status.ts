import type { IngestKind } from '../../domain/ingest.js';
import {
  COVERAGE_DAYS,
  TOP_CODES,
  toIngestStatus,
  windowBegin,
  WINDOWS,
  type IngestStatus,
  type KindStatus,
  type OutcomeCounts,
  type TopErrorCode,
  type Window,
} from '../../domain/ingest-status.js';
import type { CoverageCounts } from '../../domain/metrics/coverage.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { at, OWN, pushesWhere, recentlyCounted } from './push-hours.js';
import { createTimesReader } from './push-times.js';

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
// All counts of an hour lie in one partition, so that merging within it is enough.
const COUNTER_LIMITS = `${LIMITS}, do_not_merge_across_partitions_select_final = 1`;

const WINDOW_NAMES = Object.keys(WINDOWS) as Window[];

/** The place of the shortest window that a time is in. */
function ringOf(time: string, nowMs: number): string {
  const inner = WINDOW_NAMES.slice(0, -1);
  const rings = inner.map((name, i) => `${time} >= ${at(windowBegin(nowMs, name))}, ${i}`);
  return `multiIf(${rings.join(', ')}, ${inner.length})`;
}

const SUMS = `sum(accepted) AS accepted, sum(rejected) AS rejected, sum(superseded) AS superseded,
  sumMap(codes, counts) AS by_code, maxMap(codes, newest).2 AS newest`;

/** What the counted hours brought. */
const hoursAt = (nowMs: number, countedUntil: number): string =>
  `SELECT kind, ring, ${SUMS}
   FROM (
     SELECT kind, ${ringOf('hour', nowMs)} AS ring, accepted, rejected, superseded, errors.code AS codes,
       errors.count AS counts, errors.newest AS newest
     FROM push_hours FINAL WHERE ${OWN} AND hour >= ${at(windowBegin(nowMs, '30d'))} AND hour < ${at(countedUntil)}
   )
   GROUP BY kind, ring ${COUNTER_LIMITS}`;

/** What later pushes brought. */
const pushesAt = (nowMs: number, countedUntil: number): string =>
  `SELECT kind, ring, ${SUMS}
   FROM (
     SELECT *, ${ringOf('received_at', nowMs)} AS ring
     FROM (${pushesWhere(`${OWN} AND received_at >= ${at(Math.max(countedUntil, windowBegin(nowMs, '30d')))}`)})
   )
   GROUP BY kind, ring ${LIMITS}`;

const COVERAGE = `SELECT sum(orders) AS orders, sum(orders_costed) AS costed, sum(orders_fee_actual) AS fee_actual,
    sum(orders_tax_present) AS tax_present
  FROM daily_orders FINAL WHERE shop_id = {shop:String} AND day BETWEEN {from:Date} AND {to:Date} ${LIMITS}`;

interface CountRow {
  kind: IngestKind;
  /** Place of the shortest window that they are in. */
  ring: number;
  accepted: string;
  rejected: string;
  superseded: string;
  by_code: [codes: string[], counts: string[]];
  /** Of each code: when, of which push, and its message. */
  newest: [receivedAt: string, batchId: string, sample: string][];
}
interface CoverageRow {
  orders: string;
  costed: string;
  fee_actual: string;
  tax_present: string;
}

export function createIngestStatusReader(warehouse: Warehouse): ReadIngestStatus {
  const countedUntil = recentlyCounted(warehouse);
  const received = createTimesReader(warehouse, countedUntil);
  const counts = async (shopId: string, nowMs: number): Promise<CountRow[]> => {
    const counted = await countedUntil();
    const queries = [pushesAt(nowMs, counted), hoursAt(nowMs, counted)];
    const found = await Promise.all(queries.map((sql) => warehouse.query<CountRow>(sql, { shop: shopId })));
    // What is not counted yet is newer than what is.
    return found.flatMap((rows) => rows.sort((a, b) => a.ring - b.ring));
  };
  return async (shopId, { nowMs, today }) => {
    const shop = { shop: shopId };
    const range = { ...shop, from: formatDay(today - COVERAGE_DAYS + 1), to: formatDay(today) };
    const [rows, times, coverage] = await Promise.all([
      counts(shopId, nowMs),
      received(shopId),
      warehouse.query<CoverageRow>(COVERAGE, range),
    ]);
    const kinds = new Set([...rows.map((row) => row.kind), ...times.keys()]);
    const status = new Map(
      [...kinds].map((kind): [IngestKind, KindStatus] => {
        const last = times.get(kind)?.lastMs;
        const rings = rows.filter((row) => row.kind === kind);
        return [
          kind,
          {
            last_received_at: last === undefined ? null : new Date(last).toISOString(),
            windows: toWindows(rings),
            top_error_codes: toTopCodes(rings),
          },
        ];
      }),
    );
    return toIngestStatus(status, toCoverage(coverage[0]));
  };
}

/** A window has what the shorter ones have, and more. */
function toWindows(rings: readonly CountRow[]): KindStatus['windows'] {
  return Object.fromEntries(
    WINDOW_NAMES.map((name, i) => {
      const within = rings.filter(({ ring }) => ring <= i);
      const sum = (outcome: keyof OutcomeCounts): number =>
        within.reduce((total, row) => total + Number(row[outcome]), 0);
      return [name, { accepted: sum('accepted'), rejected: sum('rejected'), superseded: sum('superseded') }];
    }),
  ) as KindStatus['windows'];
}

/** @param rings newest first, so that the first message of a code is its newest */
function toTopCodes(rings: readonly CountRow[]): TopErrorCode[] {
  const codes = new Map<string, TopErrorCode>();
  for (const { by_code, newest } of rings) {
    for (const [i, code] of by_code[0].entries()) {
      const entry = codes.get(code) ?? { code, count: 0, sample_message: newest[i]?.[2] ?? '' };
      entry.count += Number(by_code[1][i]);
      codes.set(code, entry);
    }
  }
  return [...codes.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)).slice(0, TOP_CODES);
}

function toCoverage(row: CoverageRow | undefined): CoverageCounts {
  return {
    orders: Number(row?.orders ?? 0),
    costed: Number(row?.costed ?? 0),
    feeActual: Number(row?.fee_actual ?? 0),
    taxPresent: Number(row?.tax_present ?? 0),
  };
}
