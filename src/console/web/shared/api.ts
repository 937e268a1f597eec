import { dropKept } from './kept.js';
import { Failure, request } from './request.js';

export { Failure, failureOf, type Fault } from './request.js';

let csrf: Promise<string> | undefined;

/** Every read of a page is refused where the session has ended; a second way out would break off the first. */
let isLeaving = false;
addEventListener('pageshow', () => (isLeaving = false));

function toSignIn(error: unknown): never {
  if (error instanceof Failure && error.status === 401 && !isLeaving) {
    isLeaving = true;
    dropKept();
    location.assign(`/signin?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  throw error;
}

/** A session may ask so often in a second; what is over that waits for the next one. */
const LIMIT_MS = 1_000;
const MAX_WAITS = 3;

async function patiently(path: string, init: RequestInit): Promise<unknown> {
  for (let waits = 0; ; waits++) {
    try {
      return await request(path, init);
    } catch (error) {
      const isOverLimit = error instanceof Failure && error.faults.some(({ code }) => code === 'rate_limited');
      if (!isOverLimit || waits === MAX_WAITS) toSignIn(error);
    }
    await new Promise((resume) => setTimeout(resume, LIMIT_MS));
  }
}

/** GET of a JSON answer. Throws a {@link Failure}; without a session the browser goes to the sign-in page. */
export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await patiently(path, signal === undefined ? {} : { signal })) as T;
}

/** POST, PATCH or DELETE with the token of the session. */
export async function change<T>(path: string, body: unknown = {}, method = 'POST'): Promise<T> {
  csrf ??= read<{ csrf: string }>('/app/api/session').then((session) => session.csrf);
  const token = await csrf.catch((error: unknown) => {
    csrf = undefined;
    throw error;
  });
  const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': token };
  return (await patiently(path, { method, headers, body: JSON.stringify(body) })) as T;
}

export type Proof = { token: string } | { ticket: string } | { name: string; password: string };

/** After a change that began another session. */
export function forgetToken(): void {
  csrf = undefined;
}

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
