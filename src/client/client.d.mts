import type { Order, OrderBatchResult } from './wire.mjs';

export type { Order };

/** One fault, as the service tells it. */
export interface Fault {
  code: string;
  message: string;
  field?: string;
}

/** The service answered, but not with what was asked for. */
export declare class ProfitApiError extends Error {
  constructor(message: string, status: number, errors: readonly Fault[], requestId: string | undefined);
  readonly status: number;
  readonly errors: readonly Fault[];
  readonly requestId: string | undefined;
  /** The stable code of the first fault, such as `source_not_registered`. */
  get code(): string | undefined;
}

/** The service was busy, or nothing answered, for as long as the client may try. */
export declare class ProfitUnavailableError extends Error {}

/** What was pushed is taken, and some figures do not contain it yet, for as long as was waited. */
export declare class ProfitNotFreshError extends Error {
  constructor(receipt: string, daysLeft: number | null);
  readonly receipt: string;
  /** Days that are still to be computed; null while the push or an earlier one is queued. */
  readonly daysLeft: number | null;
}

export interface ClientOptions {
  /** Address of the service, such as `https://profit.example.com`. */
  url: string;
  /** A secret key. */
  key: string;
  /** How long one request may take, in milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** How long a request may be tried again, in milliseconds; while the service is busy: the longest time without a success. Default 300,000. */
  retryForMs?: number;
  signal?: AbortSignal;
}

/** What became of orders, however many pushes they were; the results are in the order of the orders. */
export type PushResult = OrderBatchResult;

export interface WaitOptions {
  /** How long to wait at most, in milliseconds. Default 300,000; then a ProfitNotFreshError is thrown. */
  timeoutMs?: number;
}

export interface Client {
  /** Pushes any number of orders, in batches. A rejected order is in the results and no error. */
  pushOrders(orders: readonly Order[]): Promise<PushResult>;
  /** Waits until all figures contain the push of a receipt, and every push of the shop before it. */
  wait(receipt: string, options?: WaitOptions): Promise<void>;
  /** Deletes an order; the receipt of that. A ProfitApiError with status 404 where there is no such order. */
  deleteOrder(orderId: string): Promise<{ receipt: string }>;
  /** Any other request of the API; the body of its answer, or `{ receipt }` of one that has a receipt alone. JSON that is encoded already may be given as bytes. */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
}

export declare function createClient(options: ClientOptions): Client;
