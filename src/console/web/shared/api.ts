import { dropKept } from './answer-cache.js';
import { Failure, request } from './request.js';

export { Failure, failureOf, type Fault } from './request.js';

let csrf: Promise<string> | undefined;

/** Every read of a page is refused where the session has ended; a second way out would break off the first. */
let isLeaving = false;
addEventListener('pageshow', () => (isLeaving = false));

function toSignIn(error: unknown): never {
  if (isSignedOut(error) && !isLeaving) {
    isLeaving = true;
    dropKept();
    location.assign(`/signin?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  throw error;
}

const isSignedOut = (error: unknown): boolean => error instanceof Failure && error.status === 401;

/** A session may ask so often in a second; what is over that waits for the next one. */
const LIMIT_MS = 1_000;
const MAX_WAITS = 3;

async function patiently(path: string, init: RequestInit): Promise<unknown> {
  for (let waits = 0; ; waits++) {
    try {
      return await request(path, init);
    } catch (error) {
      const isOverLimit = error instanceof Failure && error.faults.some(({ code }) => code === 'rate_limited');
      if (!isOverLimit || waits === MAX_WAITS) throw error;
    }
    await new Promise((resume) => setTimeout(resume, LIMIT_MS));
  }
}

/** The last change that ended this session and began another; how many there were. */
let renewal: Promise<unknown> = Promise.resolve();
let renewals = 0;

/**
 * GET of a JSON answer. Throws a {@link Failure}; without a session the browser goes to the sign-in page. What was refused to a
 * session that the page is changing for another is asked again with that one.
 */
export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  const init = signal === undefined ? {} : { signal };
  const before = renewals;
  const answer = await patiently(path, init).catch(async (error: unknown) => {
    if (!isSignedOut(error)) throw error;
    await renewal;
    return renewals === before ? toSignIn(error) : patiently(path, init).catch(toSignIn);
  });
  return answer as T;
}

/** The name of the event of a window that has changed something by {@link change} or {@link make}. */
export const CHANGED = 'changed';

/** POST, PATCH or DELETE with the token of the session. */
export async function change<T>(path: string, body: unknown = {}, method = 'POST', more = {}): Promise<T> {
  const answer = await send(path, body, method, await csrfToken(), more);
  dispatchEvent(new Event(CHANGED));
  return answer as T;
}

/** Names a form: what is sent again with it, since no answer came, is made once. */
export const newFormKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16).padStart(8, '0')).join('');

/** POST of what makes something, once however often it is sent with the key. */
export function make<T>(path: string, body: unknown, formKey: string): Promise<T> {
  return change(path, body, 'POST', { 'Idempotency-Key': formKey });
}

/** POST of a change that ends this session and begins another. */
export async function renewSession(path: string, body: unknown): Promise<void> {
  const renewed = send(path, body, 'POST', await csrfToken()).then(() => {
    csrf = undefined;
    renewals++;
  });
  renewal = renewed.catch(() => undefined);
  await renewed;
}

async function csrfToken(): Promise<string> {
  csrf ??= read<{ csrf: string }>('/app/api/session').then((session) => session.csrf);
  return csrf.catch((error: unknown) => {
    csrf = undefined;
    throw error;
  });
}

function send(path: string, body: unknown, method: string, token: string, more = {}): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': token, ...more };
  return patiently(path, { method, headers, body: JSON.stringify(body) }).catch(toSignIn);
}

export type Proof = { token: string } | { ticket: string } | { name: string; password: string };

/** POST without a session. */
export async function ask<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  return (await request(path, { method: 'POST', headers, body: JSON.stringify(body) })) as T;
}

/** Throws where signing in is off or the service is away. */
export async function isSignedIn(): Promise<boolean> {
  return request('/app/api/session', {}).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure && error.status === 401) return false;
      throw error;
    },
  );
}

/** The path of what belongs to a shop; `/v1/…` is a public endpoint for it, by way of the session. */
export function shopApi(shop: string, path: string): string {
  return `/app/api/shops/${encodeURIComponent(shop)}${path}`;
}
