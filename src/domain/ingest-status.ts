import { INGEST_KINDS, type IngestKind } from './ingest.js';
import { toCoverage, type Coverage, type CoverageCounts } from './metrics/coverage.js';

/** The rolling windows of the ingest status, with their lengths in hours. */
export const WINDOWS = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const;
export type Window = keyof typeof WINDOWS;

const HOUR_MS = 3_600_000;

/** Windows begin with a full hour, so that they are sums of counted hours: each is longer than its name by less than one. */
export function windowBegin(nowMs: number, window: Window): number {
  return Math.floor(nowMs / HOUR_MS - WINDOWS[window]) * HOUR_MS;
}

/** Most error codes listed per kind. */
export const TOP_CODES = 10;
/** Local days over which coverage is counted. */
export const COVERAGE_DAYS = 30;

export interface OutcomeCounts {
  accepted: number;
  rejected: number;
  superseded: number;
}

export interface TopErrorCode {
  code: string;
  count: number;
  sample_message: string;
}

/** What the ingest log says of one kind. */
export interface KindStatus {
  /** RFC 3339 in UTC; null when nothing was ever accepted. */
  last_received_at: string | null;
  windows: Record<Window, OutcomeCounts>;
  /** Most frequent first. */
  top_error_codes: TopErrorCode[];
}

/** Response of `GET /v1/ingest/status`. It holds no clock: an unchanged state gives the same text. */
export interface IngestStatus {
  kinds: Record<IngestKind, KindStatus>;
  coverage: Coverage;
  /** Days whose figures could not be computed; absent when there are none. */
  failed_days?: FailedDay[];
}

/** A day whose rollup fails by itself: it is tried again, and its figures are behind until then. */
export interface FailedDay {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Name of the warehouse's refusal. */
  reason: string;
  /** RFC 3339 in UTC. */
  since: string;
  tries: number;
}

/** Most days listed. */
export const MOST_FAILED_DAYS = 100;
export const MOST_WRONG_DAYS = 100;
/** Most differences listed of a wrong day. */
export const MOST_DIFFERENCES_KEPT = 10;

/** Every kind has its entry, whether anything of it ever arrived or not. */
export function toIngestStatus(known: ReadonlyMap<IngestKind, KindStatus>, coverage: CoverageCounts): IngestStatus {
  const kinds = Object.fromEntries(INGEST_KINDS.map((kind) => [kind, known.get(kind) ?? nothingReceived()]));
  return {
    kinds: kinds as Record<IngestKind, KindStatus>,
    coverage: toCoverage(coverage),
  };
}

function nothingReceived(): KindStatus {
  const none = { accepted: 0, rejected: 0, superseded: 0 };
  return {
    last_received_at: null,
    windows: { '24h': { ...none }, '7d': { ...none }, '30d': { ...none } },
    top_error_codes: [],
  };
}
