import { setTimeout as sleep } from 'node:timers/promises';

/** Within the 2 s that a health check takes at most, whatever else it waits for. */
const PATIENCE_MS = 1_200;

/**
 * Whether a store answers in time. Calls during a check share it, so that a frozen store is asked once, however many health checks
 * come.
 */
export function createProbe(ask: () => Promise<boolean>): () => Promise<boolean> {
  let underWay: Promise<boolean> | null = null;
  return () => {
    underWay ??= ask()
      .catch(() => false)
      .finally(() => (underWay = null));
    return Promise.race([underWay, sleep(PATIENCE_MS, false, { ref: false })]);
  };
}
