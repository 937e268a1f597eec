import { connectionFault } from './connection-fault.js';
import { faultsIn, fieldOf, ProfitApiError, ProfitUnavailableError } from './errors.js';

export interface ClientOptions {
  /** Address of the service, such as `https://profit.example.com`. */
  url: string;
  /** A secret key. */
  key: string;
  /** How long one request may take, in milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** How long a request may be tried again, in milliseconds; while the service is busy: the longest time without a success. Default 300,000. */
  retryForMs?: number;
  /** Ends what is under way and all waiting. */
  signal?: AbortSignal;
}

/** More for the command line, which tells people what it waits for and loses nothing that was sent. */
export interface SendOptions extends ClientOptions {
  /** Ends all waiting; what is under way is finished. */
  halt?: AbortSignal;
  /** Called whenever a request is to be sent again, with why. */
  onWait?: (why: string, waitMs: number) => void;
}

/**
 * Sends one request until the service has really answered, at most for `retryForMs`, or `until` a moment instead, and gives the body
 * of a success; of one without a body its receipt, where it has one.
 */
type Send = (method: string, path: string, body?: unknown, until?: number) => Promise<unknown>;

/** Statuses of failures that pass. */
const TRY_AGAIN = [408, 425, 429, 500, 502, 503, 504];
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

interface Answer {
  response: Response;
  body: unknown;
}

/**
 * Busy answers are waited out for as long as their `Retry-After` says, by all requests together; other failures, and no answer at
 * all, with a wait that doubles from 250 ms to 5 s. To send an item twice changes no figure.
 *
 * @throws Error when the url is not one of http or https, or the key is not valid in a header
 */
export function createSend(options: SendOptions): Send {
  const { key, timeoutMs = 60_000, retryForMs = 300_000, signal, halt = signal, onWait } = options;
  const url = addressOf(options.url);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('the key is empty or has characters that no key has');
  let heldUntil = 0;
  let lastSuccess = 0;

  const heldMs = (until = heldUntil): number => Math.min(heldUntil, until) - performance.now();

  async function once(method: string, path: string, body: unknown): Promise<Answer | Error> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      return { response, body: parsed(await response.text()) };
    } catch (error) {
      signal?.throwIfAborted();
      return new Error(`no answer from ${url} (${reasonOf(error)})`, { cause: error });
    }
  }

  return async (method, path, body, until) => {
    let failingSince: number | undefined;
    for (let failures = 0; ; failures++) {
      while (heldMs(until) > 0) await pause(heldMs(until), halt);
      halt?.throwIfAborted();
      const answer = await once(method, path, body);
      if (!(answer instanceof Error) && answer.response.ok) {
        lastSuccess = performance.now();
        const receipt = answer.response.headers.get('receipt');
        return answer.body === undefined && receipt !== null ? { receipt } : answer.body;
      }
      const failure = answer instanceof Error ? answer : apiError(answer, `${method} ${path}`);
      if (failure instanceof ProfitApiError && !TRY_AGAIN.includes(failure.status)) throw failure;
      failingSince ??= performance.now();
      const asked = answer instanceof Error ? undefined : retryAfterMs(answer.response);
      const waitMs = asked ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
      const since = asked === undefined ? failingSince : Math.max(failingSince, lastSuccess);
      if (performance.now() + waitMs > (until ?? since + retryForMs)) {
        const seconds = Math.round((performance.now() - since) / 1000);
        throw new ProfitUnavailableError(`${failure.message}; gave up after ${seconds} s of trying`, {
          cause: failure,
        });
      }
      onWait?.(failure.message, waitMs);
      if (asked === undefined) await pause(waitMs, halt);
      else heldUntil = Math.max(heldUntil, performance.now() + waitMs);
    }
  };
}

/** The address of a service as it is used: with the prefix of its path, without a slash at its end. */
export function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error(`"${text}" is not the address of a service; it looks like http://127.0.0.1:3000`);
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function apiError({ response, body }: Answer, what: string): ProfitApiError {
  const { status, type } = response;
  const errors = faultsIn(body);
  const said = errors.map(({ code, message }) => `${message} (${code})`);
  // A browser shows nothing else of a redirect.
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  if (isRedirect) said.push('This is a redirect; give the final address as url.');
  else if (errors.length === 0 && !TRY_AGAIN.includes(status))
    said.push('This is no answer of the service; is the url right?');
  const requestId = fieldOf(body, 'request_id');
  return new ProfitApiError(
    [`${what} was answered with ${status}`, ...(said.length > 0 ? [said.join(' ')] : [])].join(': '),
    status,
    errors,
    typeof requestId === 'string' ? requestId : undefined,
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it took too long';
  return connectionFault(error) ?? (error.cause instanceof Error ? error.cause : error).message;
}

/** How long an answer asks to wait; undefined where it does not say. */
function retryAfterMs({ headers }: Response): number | undefined {
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

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
