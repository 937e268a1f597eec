import type { AnyErrorCode, ErrorCode } from './error-catalogue.js';

/**
 * The one error vocabulary of the service (contract: "Everywhere"). A code never changes its meaning; the message says
 * what to change; `field` is a path such as `line_items[0].unit_price`, relative to the item inside an item result.
 */

/** One fault, as it is in `errors` of a response or of an item result. `Code` is wider for pages of the app. */
export interface ErrorDetail<Code extends AnyErrorCode = ErrorCode> {
  code: Code;
  message: string;
  field?: string;
  /** `sum_mismatch`, `sum_residual` and `unbalanced` only: what the parts give, an exact decimal string. */
  computed?: string;
  /** With the same codes: the sum as it was sent. */
  supplied?: string;
  /** `not_fresh_yet` only: days of the answer that are still to be computed; null: the push is still queued. */
  days_left?: number | null;
}

/** Statuses of requests that fail with these codes; of all others 400. Not in the catalogue, whose texts the app does not load. */
const STATUSES: Partial<Record<AnyErrorCode, number>> = {
  unauthorized: 401,
  forbidden_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  source_not_registered: 409,
  source_locked: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  store_unavailable: 503,
  queue_unavailable: 503,
  not_fresh_yet: 503,
  sign_in_off: 503,
  sign_in_refused: 401,
  signed_out: 401,
  role: 403,
  cross_site: 403,
  csrf_token: 403,
  too_many_tries: 429,
  invitation_over: 404,
  link_over: 404,
};

/** HTTP status that belongs to a code. */
export const statusOf = (code: AnyErrorCode): number => STATUSES[code] ?? 400;

/** A failure of a whole request. Its status is that of its first error. */
export class RequestError<Code extends AnyErrorCode = ErrorCode> extends Error {
  override readonly name = 'RequestError';
  readonly status: number;

  constructor(
    readonly errors: readonly [ErrorDetail<Code>, ...ErrorDetail<Code>[]],
    /** Seconds for `Retry-After`; present on 429 and 503. */
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(errors.map((error) => `${error.code}: ${error.message}`).join('; '), options);
    this.status = statusOf(errors[0].code);
  }
}

/** For handlers of what any route throws: typed by the API's codes, though pages of the app throw theirs too. */
export const isRequestError = (error: unknown): error is RequestError => error instanceof RequestError;

/** Shorthand for a request failure with a single fault. */
export function requestError<Code extends AnyErrorCode>(
  code: Code,
  message: string,
  field?: string,
): RequestError<Code> {
  return new RequestError([field === undefined ? { code, message } : { code, message, field }]);
}

/** Throws all faults of a request at once, if there are any. */
export function requireNoFaults([first, ...rest]: readonly ErrorDetail[]): void {
  if (first !== undefined) throw new RequestError([first, ...rest]);
}

/** A store that the request needs is out of reach: 503 with `Retry-After`. */
export function unavailable(
  code: 'store_unavailable' | 'queue_unavailable',
  message: string,
  cause?: unknown,
): RequestError {
  return new RequestError([{ code, message }], 5, cause === undefined ? undefined : { cause });
}

/** Redis gives no answer to a push. */
export function queueOutOfReach(cause: unknown): RequestError {
  const message = 'The queue is out of reach; nothing was taken. Send the request again.';
  return unavailable('queue_unavailable', message, cause);
}

const ECHO_LENGTH = 100;

/** What a client sent, short enough to be repeated in a message, and without halves of surrogate pairs. */
export function echo(text: string): string {
  return (text.length <= ECHO_LENGTH ? text : `${text.slice(0, ECHO_LENGTH)}…`).toWellFormed();
}

/** Characters of a text where nothing else is said (contract: "Everywhere"). */
export const MAX_CHARACTERS = 255;

/** Characters as a person counts them in a limit: a pair of surrogates is one. */
export function charactersIn(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1) count++;
  return count;
}

/**
 * What a result repeats of the id of an item, by which the client tells it apart: whole as far as an id may go, else its beginning
 * alone. Null: it was no text.
 */
export function supplied(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return value.length <= 2 * MAX_CHARACTERS && charactersIn(value) <= MAX_CHARACTERS ? value : echo(value);
}
