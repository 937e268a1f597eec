import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/**
 * Waits until a service answers a GET with 200.
 * Throws when `stop` is aborted, when `ended` says how the service ended, and after a minute, with the last answer.
 */
export async function untilServing(
  { name, url }: { name: string; url: string },
  stop: AbortSignal,
  ended: () => string | undefined,
): Promise<void> {
  let last = 'nobody listens';
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
    await sleep(40);
    stop.throwIfAborted();
    const words = ended();
    if (words !== undefined) throw new Error(`${name} ended at its start\n${words}`);
    try {
      const answer = await fetch(url, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(5_000) });
      const text = await answer.text();
      if (answer.status === 200) return;
      last = `status ${answer.status} ${text.slice(0, 500)}`;
    } catch (error) {
      if (error instanceof TypeError && error.cause instanceof Error) last = error.cause.message;
    }
  }
  throw new Error(`${name} is not ready after ${PATIENCE_MS / 1000} s: ${last}`);
}
