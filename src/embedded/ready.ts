import { setTimeout as sleep } from 'node:timers/promises';
import { httpGet } from './http-get.js';

const patienceMs = 60_000;

/**
 * Waits until the API answers `GET /readyz` with 200.
 * Throws when `stop` is aborted, when `ended` says how the API ended, and after a minute, with the last answer.
 */
export async function untilServing(url: string, stop: AbortSignal, ended: () => string | undefined): Promise<void> {
  let last = 'nobody listens';
  for (const end = Date.now() + patienceMs; Date.now() < end;) {
    await sleep(40);
    stop.throwIfAborted();
    const words = ended();
    if (words !== undefined) throw new Error(`the API ended at its start\n${words}`);
    const { status, body } = await httpGet(`${url}/readyz`).catch(() => ({ status: 0, body: '' }));
    if (status === 200) return;
    if (status > 0) last = `status ${status} ${body}`;
  }
  throw new Error(`the API is not ready after ${patienceMs / 1000} s: ${last}`);
}
