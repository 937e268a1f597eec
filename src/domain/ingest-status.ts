import type { IngestStatus, KindStatus } from '../schemas/ingest-status.js';
import { INGEST_KINDS, type IngestKind } from './ingest.js';
import { MS_PER_HOUR } from './time.js';
import { toCoverage, type CoverageOf } from './metrics/coverage.js';

/** The rolling windows of the ingest status, with their lengths in hours. */
export const WINDOWS = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const;
export type Window = keyof typeof WINDOWS;

/** Windows begin with a full hour, so that they are sums of counted hours: each is longer than its name by less than one. */
export function windowBegin(nowMs: number, window: Window): number {
  return Math.floor(nowMs / MS_PER_HOUR - WINDOWS[window]) * MS_PER_HOUR;
}

/** Local days over which coverage is counted. */
export const COVERAGE_DAYS = 30;

/** Every kind has its entry, whether anything of it ever arrived or not. */
export function toIngestStatus(
  known: ReadonlyMap<IngestKind, KindStatus>,
  coverage: CoverageOf,
  ordersUnknown: number,
): IngestStatus {
  const kinds = Object.fromEntries(INGEST_KINDS.map((kind) => [kind, known.get(kind) ?? nothingReceived()]));
  return {
    kinds: kinds as Record<IngestKind, KindStatus>,
    coverage: toCoverage(coverage),
    orders_unknown: ordersUnknown,
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
