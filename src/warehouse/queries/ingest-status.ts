import { Type } from 'typebox';
import { compare } from '../../domain/compare.js';
import type { IngestKind } from '../../domain/ingest.js';
import { isWarningCode } from '../../domain/orders/warning-codes.js';
import type { ErrorCode } from '../../error-catalogue.js';
import { COVERAGE_DAYS, toIngestStatus, windowBegin, WINDOWS, type Window } from '../../domain/ingest-status.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { TOP_CODES, type IngestStatus, type KindStatus, type OutcomeCounts } from '../../schemas/ingest-status.js';
import type { Warehouse } from '../client.js';
import type { MetricsReader } from './metrics.js';
import { countWaitingCosts } from './order-cost-list.js';
import { COUNT_MARK, createCodesReader, joinMarks, type CodeCount } from './push-codes.js';
import { at, COUNTER_LIMITS, OWN, pushesWhere, type CountedUntil } from './push-hours.js';
import { defineQuery, textOf, texts, type RowOf } from '../query.js';

/** The instant and the local day up to which a status is read. */
export interface StatusMoment {
  nowMs: number;
  /** Today in the time zone of the shop, in days since 1970. */
  today: number;
}

/** Reads the ingest log and the rollups of one shop. Rejects when the warehouse does. */
export type ReadIngestStatus = (shopId: string, moment: StatusMoment) => Promise<IngestStatus>;

const WINDOW_NAMES = Object.keys(WINDOWS) as Window[];

/** The place of the shortest window that a time is in; of a time before all of them one more than the last. */
function ringOf(time: string, nowMs: number): string {
  const rings = WINDOW_NAMES.map((name, i) => `${time} >= ${at(windowBegin(nowMs, name))}, ${i}`);
  return `multiIf(${rings.join(', ')}, ${WINDOW_NAMES.length})`;
}

const SUMS = `sum(accepted) AS accepted, sum(rejected) AS rejected, sum(superseded) AS superseded,
  toString(toUnixTimestamp64Milli(max(received))) AS last`;
/** When something was last accepted: an instant before all pushes where nothing was. */
const receivedAt = (time: string): string => `if(accepted > 0, ${time}, ${at(0)}) AS received`;

/** What the counted hours brought, as far back as they go. */
const hoursAt = (nowMs: number, countedUntil: number): string =>
  `SELECT kind, ring, ${SUMS}, groupBitXor(mark) AS marks
   FROM (
     SELECT kind, ${ringOf('hour', nowMs)} AS ring, accepted, rejected, superseded, ${receivedAt('last_at')},
       ${COUNT_MARK} AS mark
     FROM push_hours FINAL WHERE ${OWN} AND hour < ${at(countedUntil)}
   )
   GROUP BY kind, ring ${COUNTER_LIMITS}`;

/** What later pushes brought. */
const pushesAt = (nowMs: number, countedUntil: number): string =>
  `SELECT kind, ring, ${SUMS}, sumMap(codes, counts) AS by_code,
     arrayMap(entry -> entry.3, maxMap(codes, newest).2) AS samples
   FROM (
     SELECT *, ${ringOf('received_at', nowMs)} AS ring, ${receivedAt('received_at')}
     FROM (${pushesWhere(`${OWN} AND received_at >= ${at(countedUntil)}`)})
   )
   GROUP BY kind, ring ${COUNTER_LIMITS}`;

export interface IngestStatusSources {
  countedUntil: CountedUntil;
  metrics: Pick<MetricsReader, 'parts' | 'productsWithoutCost'>;
  /** The fee rules of a shop. */
  rulesOf: (shopId: string) => Promise<readonly GatewayFeeRule[]>;
}

const OUTCOMES = {
  kind: textOf<IngestKind>(),
  /** Place of the shortest window that they are in. */
  ring: Type.Number(),
  ...texts('accepted', 'rejected', 'superseded'),
  /** Milliseconds; 0: nothing was accepted. */
  last: Type.String(),
};
const COUNTED_HOURS = defineQuery('counted hours of pushes', { ...OUTCOMES, marks: Type.String() });
const LATER_PUSHES = defineQuery('pushes after the counted hours', {
  ...OUTCOMES,
  /** Codes and counts. */
  by_code: Type.Tuple([Type.Array(Type.String()), Type.Array(Type.String())]),
  /** The newest message of each code. */
  samples: Type.Array(Type.String()),
});
type PushesRow = RowOf<typeof LATER_PUSHES>;
type SumRow = Omit<RowOf<typeof COUNTED_HOURS>, 'marks'>;

export function createIngestStatusReader(
  warehouse: Warehouse,
  { countedUntil, metrics, rulesOf }: IngestStatusSources,
): ReadIngestStatus {
  const readCodes = createCodesReader(warehouse);
  const readPushes = async (shopId: string, nowMs: number): Promise<{ sums: SumRow[]; codes: CodeCount[] }> => {
    const untilMs = await countedUntil(shopId);
    const shop = { shop: shopId };
    const [pushes, { hours, codes }] = await Promise.all([
      warehouse.ask(LATER_PUSHES(pushesAt(nowMs, untilMs), shop)),
      warehouse.ask(COUNTED_HOURS(hoursAt(nowMs, untilMs), shop)).then(async (hours) => {
        const marks = joinMarks(hours.filter(isInWindow));
        return { hours, codes: await readCodes(shopId, { fromMs: windowBegin(nowMs, '30d'), untilMs, marks }) };
      }),
    ]);
    // What is not counted yet is newer than what is.
    return { sums: [...pushes, ...hours], codes: [...codesOf(pushes), ...codes] };
  };
  return async (shopId, { nowMs, today }) => {
    const range = { from: today - COVERAGE_DAYS + 1, to: today };
    const [{ sums, codes }, parts, rules, uncosted, waiting] = await Promise.all([
      readPushes(shopId, nowMs),
      metrics.parts(shopId, range, []),
      rulesOf(shopId),
      metrics.productsWithoutCost(shopId, range, [range.from]),
      countWaitingCosts(warehouse, shopId),
    ]);
    const kinds = new Set(sums.map((row) => row.kind));
    const status = new Map(
      [...kinds].map((kind): [IngestKind, KindStatus] => {
        const own = sums.filter((row) => row.kind === kind);
        const given = codes.filter((entry) => entry.kind === kind);
        const warnings = toTopCodes(given, isWarningCode);
        const last = Math.max(...own.map((row) => Number(row.last)));
        return [
          kind,
          {
            last_received_at: last === 0 ? null : new Date(last).toISOString(),
            windows: toWindows(own),
            top_error_codes: toTopCodes(given, isErrorCode),
            ...(warnings.length > 0 && { top_warning_codes: warnings }),
          },
        ];
      }),
    );
    const coverage = { parts, rules, productsWithoutCost: uncosted.get(range.from) ?? 0 };
    return toIngestStatus(status, coverage, waiting);
  };
}

const isInWindow = ({ ring }: SumRow): boolean => ring < WINDOW_NAMES.length;

/** Newest first. */
function codesOf(pushes: readonly PushesRow[]): CodeCount[] {
  const rings = pushes.filter(isInWindow).sort((a, b) => a.ring - b.ring);
  return rings.flatMap(({ kind, by_code: [codes, counts], samples }) =>
    codes.map((code, i) => ({ kind, code, count: Number(counts[i]), sample: samples[i] ?? '' })),
  );
}

/** A window has what the shorter ones have, and more. */
function toWindows(rings: readonly SumRow[]): KindStatus['windows'] {
  return Object.fromEntries(
    WINDOW_NAMES.map((name, i) => {
      const within = rings.filter(({ ring }) => ring <= i);
      const sum = (outcome: keyof OutcomeCounts): number =>
        within.reduce((total, row) => total + Number(row[outcome]), 0);
      return [name, { accepted: sum('accepted'), rejected: sum('rejected'), superseded: sum('superseded') }];
    }),
  ) as KindStatus['windows'];
}

const isErrorCode = (code: string): code is ErrorCode => !isWarningCode(code);

/** @param counts newest first, so that the first message of a code is its newest */
function toTopCodes<Code extends string>(
  counts: readonly CodeCount[],
  isOne: (code: string) => code is Code,
): { code: Code; count: number; sample_message: string }[] {
  const codes = new Map<Code, { code: Code; count: number; sample_message: string }>();
  for (const { code, count, sample } of counts) {
    if (!isOne(code)) continue;
    const entry = codes.get(code) ?? { code, count: 0, sample_message: sample };
    entry.count += count;
    codes.set(code, entry);
  }
  return [...codes.values()].sort((a, b) => b.count - a.count || compare(a.code, b.code)).slice(0, TOP_CODES);
}
