import { INGEST_KINDS, type IngestKind } from './ingest.js';

/** The rolling windows of the ingest status, with their lengths in hours. */
export const WINDOWS = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const;
export type Window = keyof typeof WINDOWS;

/** Codes that the status lists a kind at most. */
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

/** Counted orders of the coverage days, and how many of them have what. */
export interface CoverageCounts {
  orders: number;
  costed: number;
  feeActual: number;
  taxPresent: number;
}

/** Percentages 0-100 of at most two decimals; null without orders. */
export interface Coverage {
  cogs_complete: number | null;
  gateway_fee_actual: number | null;
  tax_present: number | null;
}

/** Response of `GET /v1/ingest/status`. It holds no clock: an unchanged state gives the same text. */
export interface IngestStatus {
  kinds: Record<IngestKind, KindStatus>;
  coverage: Coverage;
}

/** Every kind has its entry, whether anything of it ever arrived or not. */
export function toIngestStatus(known: ReadonlyMap<IngestKind, KindStatus>, coverage: CoverageCounts): IngestStatus {
  const kinds = Object.fromEntries(INGEST_KINDS.map((kind) => [kind, known.get(kind) ?? nothingReceived()]));
  return {
    kinds: kinds as Record<IngestKind, KindStatus>,
    coverage: {
      cogs_complete: percentage(coverage.costed, coverage.orders),
      gateway_fee_actual: percentage(coverage.feeActual, coverage.orders),
      tax_present: percentage(coverage.taxPresent, coverage.orders),
    },
  };
}

/** `part` of `all` in percent, rounded half-up at the second decimal in integers; null when there is nothing to share. */
export function percentage(part: number, all: number): number | null {
  if (all === 0) return null;
  const hundredths = (BigInt(part) * 20_000n + BigInt(all)) / (2n * BigInt(all));
  return Number(hundredths) / 100;
}

function nothingReceived(): KindStatus {
  const none = { accepted: 0, rejected: 0, superseded: 0 };
  return {
    last_received_at: null,
    windows: { '24h': { ...none }, '7d': { ...none }, '30d': { ...none } },
    top_error_codes: [],
  };
}
