import { ERROR_CATALOGUE, type ErrorCode } from '../error-catalogue.js';
import type { ErrorDetail } from '../errors.js';
import { WARNING_MEANINGS, type OrderWarning, type WarningCode } from './orders/warning-codes.js';

/** What arrives over the wire, as the ingest status names it. */
export const INGEST_KINDS = ['orders', 'spend', 'product_costs', 'expenses', 'events'] as const;
export type IngestKind = (typeof INGEST_KINDS)[number];

/** How a request is found again, from the access log to the queries that it caused. */
export interface RequestIds {
  /** `X-Request-Id` of the request. */
  requestId: string;
  /** The trace that the request belongs to (W3C Trace Context). */
  traceId: string;
}

/** Who sent a push. */
export interface Sender extends RequestIds {
  shopId: string;
  /** The last four characters of the key. */
  keyLast4: string;
  /** When the request arrived, as `performance.now()` counts. Absent: not known. */
  startedAt?: number;
}

/** What the ingest log holds: fee rules, costs of orders and rates are pushes too, though no status counts them. */
export type LoggedKind = IngestKind | 'gateway_fees' | 'order_costs' | 'rates';

/** Of pushes that are listed: all but browser events. */
export const PUSH_KINDS = [
  'orders',
  'spend',
  'product_costs',
  'expenses',
  'gateway_fees',
  'order_costs',
  'rates',
] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** How often a code occurred in one push, with the sentence of the code: nothing that was sent is kept. */
export interface ErrorCount {
  code: ErrorCode | WarningCode;
  count: number;
  sample: string;
}

/** The outcome counters of one push: one row of the ingest log. */
export interface IngestHeader {
  shop_id: string;
  kind: LoggedKind;
  /** Unique per push; makes a repeated write count once. Tells when it was made, see `receipts.ts`. */
  batch_id: string;
  /** Milliseconds since 1970. */
  received_at: number;
  accepted: number;
  rejected: number;
  superseded: number;
  /** Of rejected items, and warnings of accepted ones. */
  errors: ErrorCount[];
  /** First and last arrival stamp of its items. Absent when none was accepted. */
  first_stamp?: number;
  last_stamp?: number;
  /** Which key and request sent it. */
  key_last4?: string;
  request_id?: string;
  /** Milliseconds from the arrival of the request to this header. */
  ms?: number;
  trace_id?: string;
}

/** Counts the codes of rejected items. */
export function countErrors(rejected: Iterable<readonly Pick<ErrorDetail, 'code'>[]>): ErrorCount[] {
  return countCodes(rejected, (code) => ERROR_CATALOGUE[code].meaning);
}

/** Counts the codes of warnings of accepted items. */
export function countWarnings(accepted: Iterable<readonly Pick<OrderWarning, 'code'>[]>): ErrorCount[] {
  return countCodes(accepted, (code) => WARNING_MEANINGS[code]);
}

function countCodes<Code extends ErrorCount['code']>(
  items: Iterable<readonly { code: Code }[]>,
  meaningOf: (code: Code) => string,
): ErrorCount[] {
  const counts = new Map<Code, ErrorCount>();
  for (const codes of items) {
    for (const { code } of codes) {
      const known = counts.get(code);
      if (known === undefined) counts.set(code, { code, count: 1, sample: meaningOf(code) });
      else known.count += 1;
    }
  }
  return [...counts.values()];
}

/** The counts of two pushes together. */
export function mergeErrors(one: readonly ErrorCount[], other: readonly ErrorCount[]): ErrorCount[] {
  const counts = new Map(one.map((count) => [count.code, { ...count }]));
  for (const count of other) {
    const known = counts.get(count.code);
    if (known === undefined) counts.set(count.code, { ...count });
    else known.count += count.count;
  }
  return [...counts.values()];
}
