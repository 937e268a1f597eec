import { setTimeout as sleep } from 'node:timers/promises';

/** A store that is away may keep a service from ending. */
const STOP_MS = 30_000;

/** What runs for a test, until it is stopped. */
export const running = new Set<{ stop(): Promise<unknown> }>();

/** Stops what a test left behind as it failed: workers would do the work of the files that follow. */
export async function stopLeftBehind(): Promise<void> {
  if (running.size === 0) return;
  const given = new AbortController();
  const all = Promise.allSettled([...running].map((one) => one.stop()));
  await Promise.race([all, sleep(STOP_MS, undefined, { signal: given.signal })]).finally(() => given.abort());
}
