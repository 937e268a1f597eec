import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 60_000;

/** The status and the beginning of the body of a GET, on a connection that does not stay open. */
function ask(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, timeout: 5_000 }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (part: string) => (body = (body + part).slice(0, 500)));
      answer.on('error', reject).on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    }).on('error', reject);
  });
}

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
    const { status, body } = await ask(`${url}/readyz`).catch(() => ({ status: 0, body: '' }));
    if (status === 200) return;
    if (status > 0) last = `status ${status} ${body}`;
  }
  throw new Error(`the API is not ready after ${patienceMs / 1000} s: ${last}`);
}
