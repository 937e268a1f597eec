import { faultsIn, fieldOf, ProfitApiError, ProfitUnavailableError } from './errors.js';

export interface ClientOptions {
  /** Address of the service, such as `https://profit.example.com`. */
  url: string;
  /** A secret key. */
  key: string;
  /** How long one request may take, in milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** How long a request may be tried again, in milliseconds. Default 300,000. */
  retryForMs?: number;
  /** Ends what is under way and all waiting. */
  signal?: AbortSignal;
}

/** Sends one request until the service has really answered, at most for `retryForMs`, and gives the body of a success. */
type Send = (method: string, path: string, body?: unknown, retryForMs?: number) => Promise<unknown>;

/** Statuses of failures that pass. */
export const TRY_AGAIN = [408, 425, 429, 500, 502, 503, 504];
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/**
 * Busy answers are waited out for as long as their `Retry-After` says; other failures, and no answer at all, with a wait that
 * doubles from 250 ms to 5 s. To send an item twice changes no figure.
 */
export function createSend(options: ClientOptions): Send {
  const { key, timeoutMs = 60_000, signal } = options;
  const base = new URL(options.url);
  const url = (base.origin + base.pathname).replace(/\/+$/, '');

  async function once(method: string, path: string, body: unknown): Promise<Response | Error> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  return async (method, path, body, retryForMs = options.retryForMs ?? 300_000) => {
    const startedAt = Date.now();
    for (let failures = 0; ; failures++) {
      signal?.throwIfAborted();
      const answer = await once(method, path, body);
      if (answer instanceof Response && answer.ok) return bodyOf(answer);
      if (answer instanceof Response && !TRY_AGAIN.includes(answer.status)) throw await apiError(answer, method, path);
      const wait = waitMs(answer, failures);
      if (Date.now() + wait - startedAt > retryForMs) throw await givenUp(answer, method, path);
      await pause(wait, signal);
    }
  };
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

async function apiError(answer: Response, method: string, path: string): Promise<ProfitApiError> {
  const body = await bodyOf(answer);
  const errors = faultsIn(body);
  const said =
    errors.map(({ code, message }) => `${message} (${code})`).join(' ') || 'This is no answer of the service.';
  const requestId = fieldOf(body, 'request_id');
  const message = `${method} ${path} was answered with ${answer.status}: ${said}`;
  return new ProfitApiError(message, answer.status, errors, typeof requestId === 'string' ? requestId : undefined);
}

async function givenUp(answer: Response | Error, method: string, path: string): Promise<ProfitUnavailableError> {
  const cause = answer instanceof Response ? await apiError(answer, method, path) : answer;
  return new ProfitUnavailableError(`${method} ${path} had no success for as long as it was tried: ${cause.message}`, {
    cause,
  });
}

function waitMs(answer: Response | Error, failures: number): number {
  return (answer instanceof Response ? retryAfterMs(answer) : undefined) ?? backOffMs(failures);
}

/** How long an answer asks to wait; undefined where it does not say. */
export function retryAfterMs({ headers }: Response): number | undefined {
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

export const backOffMs = (failures: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);

/** Stretched at random, so that clients that failed together don't come back together. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('stopped'));
    };
    const done = (): void => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(done, ms * (1 + Math.random() / 5));
    signal?.addEventListener('abort', stop, { once: true });
  });
}
