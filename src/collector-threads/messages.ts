import type { Config } from '../config.js';
import type { ErrorDetail } from '../errors.js';
import type { Beacon, Collected } from '../http/collector.js';

/** What a thread is started with. */
export interface ThreadData {
  config: Config;
  /** Requests of each token, counted by all threads together. */
  tokenCounts: SharedArrayBuffer;
}

/** Beacons that arrived together: one message for many, because each wakes the other thread. */
export interface Beacons {
  /** The id of the first; the others count on from it. */
  first: number;
  /** All bodies, one after the other; handed over, not copied. */
  bodies: ArrayBuffer;
  beacons: (Omit<Beacon, 'body'> & { length: number })[];
}

/** What became of one beacon. */
export type Reply = { id: number } & (
  | { collected: Collected }
  /** A failure that is told to the client, as far as a message between threads can carry it. */
  | { refused: { errors: readonly [ErrorDetail, ...ErrorDetail[]]; retryAfter: number | undefined; cause: unknown } }
  | { failed: unknown }
);

/** Asks a thread to end. */
export const CLOSE = 'close';
