import type { ErrorCode, ErrorDetail } from '../errors.js';

/** What arrives over the wire, as the ingest status names it. */
export const INGEST_KINDS = ['orders', 'spend', 'product_costs', 'expenses', 'events'] as const;
export type IngestKind = (typeof INGEST_KINDS)[number];

/** How often a code occurred in one push, with one of its messages. */
export interface ErrorCount {
  code: ErrorCode;
  count: number;
  sample: string;
}

/** The outcome counters of one push: one row of the ingest log. */
export interface IngestHeader {
  shop_id: string;
  kind: IngestKind;
  /** Unique per push; makes a repeated write count once. */
  batch_id: string;
  /** Milliseconds since 1970. */
  received_at: number;
  accepted: number;
  rejected: number;
  superseded: number;
  errors: ErrorCount[];
}

const SAMPLE_LENGTH = 300;

const sampleOf = (message: string): string => message.slice(0, SAMPLE_LENGTH).toWellFormed();

/** Counts the codes of rejected items; the first message of a code is its sample. */
export function countErrors(rejected: Iterable<readonly ErrorDetail[]>): ErrorCount[] {
  const counts = new Map<ErrorCode, ErrorCount>();
  for (const errors of rejected) {
    for (const { code, message } of errors) {
      const known = counts.get(code);
      if (known === undefined) counts.set(code, { code, count: 1, sample: sampleOf(message) });
      else known.count += 1;
    }
  }
  return [...counts.values()];
}
