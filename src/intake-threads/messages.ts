import type { Config } from '../config.js';
import type { ErrorDetail } from '../errors.js';
import type { Beacon, Collected } from '../http/collector.js';
import type { OrderPush } from '../http/order-pushes.js';

/** What a thread is started with. */
export interface ThreadData {
  config: Config;
  /** Requests of each token, counted by all threads together. */
  tokenCounts: SharedArrayBuffer;
}

/** Beacons that arrived together: one message for many, because each wakes the other thread. */
export interface Beacons {
  kind: 'beacons';
  /** The id of the first; the others count on from it. */
  first: number;
  /** All bodies, one after the other; handed over, not copied. */
  bodies: ArrayBuffer;
  beacons: (Omit<Beacon, 'body'> & { length: number })[];
}

/** A push of orders; its body is handed over. */
export interface Push extends Omit<OrderPush, 'body'> {
  kind: 'push';
  id: number;
  body: ArrayBuffer;
}

/** Asks a thread to end. */
export interface Close {
  kind: 'close';
}

export type Message = Beacons | Push | Close;

/** A failure, as far as a message between threads can carry it. */
export type Failure =
  | { refused: { errors: readonly [ErrorDetail, ...ErrorDetail[]]; retryAfter: number | undefined; cause: unknown } }
  | { failed: unknown };

/** What a beacon, or a push of orders, is answered. */
export type Answer = Collected | string;

/** What became of one request. */
export type Reply = { id: number } & ({ answer: Answer } | Failure);
