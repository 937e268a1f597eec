import { retryAfterMs } from '../../client/send.js';
import { connectionFault } from '../error-text.js';
import { parseJson } from '../parse-json.js';

/** An error object of the service, as every failed request and every rejected item carries it. */
export interface ServiceError {
  code: string;
  message: string;
  field?: string;
  [more: string]: unknown;
}

/** Any HTTP answer. `body` is the parsed JSON, undefined when there is none; `retryAfterMs` only when the service said so. */
export interface ApiAnswer {
  status: number;
  body: unknown;
  retryAfterMs?: number;
}

/** No answer came, so it is not known whether the request took effect: refused, cut off, or out of time. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** The service answered, but not with what was asked for. The message carries the service's own words. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** The service's error objects; empty when something else (a proxy) answered. */
    readonly errors: ServiceError[],
  ) {
    super(message);
  }
}

/** What a request may carry: JSON text already encoded, or a value to encode. */
export type ApiBody = { bytes: Uint8Array } | { json: unknown };

/** Sends requests to one service with one key. */
export interface ApiClient {
  /** The service's address, without a slash at its end. */
  readonly url: string;
  /**
   * Sends one request.
   *
   * @param path begins with `/v1/`
   * @throws NoAnswerError when no whole answer came; every HTTP status resolves
   */
  request(method: string, path: string, body?: ApiBody): Promise<ApiAnswer>;
}

/**
 * @param options `url` is the service's address (a path prefix is kept), `key` goes into `Authorization`; `timeoutMs` is how
 *   long one request may take (default 60,000)
 * @throws Error when the url is not one of http or https, or the key could not stand in a header
 */
export function createApiClient(options: { url: string; key: string; timeoutMs?: number }): ApiClient {
  const { key, timeoutMs = 60_000 } = options;
  const url = serviceUrl(options.url);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('the key is empty or has characters that no key has');

  return {
    url,
    async request(method, path, body) {
      const headers: Record<string, string> = { authorization: `Bearer ${key}`, accept: 'application/json' };
      if (body) headers['content-type'] = 'application/json';
      try {
        const response = await fetch(url + path, {
          method,
          headers,
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
          ...(body && { body: 'bytes' in body ? body.bytes : JSON.stringify(body.json) }),
        });
        const text = await response.text();
        const answer = { status: response.status, body: parseJson(text) };
        const waitMs = retryAfterMs(response);
        return waitMs === undefined ? answer : { ...answer, retryAfterMs: waitMs };
      } catch (error) {
        throw new NoAnswerError(`no answer from ${url} (${reasonOf(error)})`, { cause: error });
      }
    },
  };
}

/** The error objects of an answer; empty when its body is not the service's error body. */
export function errorsOf(answer: ApiAnswer): ServiceError[] {
  const { body } = answer;
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return [];
  return body.errors.filter(
    (error: unknown): error is ServiceError =>
      typeof error === 'object' && error !== null && 'code' in error && 'message' in error,
  );
}

/** An answer that is not what was asked for, as an error that says what to do next. */
export function apiError(answer: ApiAnswer, what: string): ApiError {
  const errors = errorsOf(answer);
  const said = errors.map((error) => `${error.message} (${error.code})`).join(' ');
  const redirected = answer.status >= 300 && answer.status < 400 ? ' A redirect: give the final address as url.' : '';
  const message = said || `This is no answer of the profit service; is the url right?${redirected}`;
  return new ApiError(`${what} was answered with ${answer.status}: ${message}`, answer.status, errors);
}

function serviceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(`"${text}" is not the address of a service; it looks like http://127.0.0.1:3000`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return connectionFault(cause) ?? cause.message;
  return error.name === 'TimeoutError' ? 'it took too long' : error.message;
}
