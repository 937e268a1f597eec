import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineLog, Exit, Running } from '../engines/engine.js';

export interface KeepRunningOptions<T extends Running> {
  /** For the log. */
  name: string;
  log: EngineLog;
  /** Starts the process; must call back when it ends by itself. */
  start(onExit: (exit: Exit) => void): Promise<T>;
  /** Called after every start, the first included. */
  onStart?: () => void;
  /** Wait before the first of a series of restarts, doubled each time up to 10 s; 200 ms when absent. */
  firstDelayMs?: number;
}

/** A process that comes back when it dies. */
export interface Kept<T extends Running> {
  /** The process as it was started last; it may just have died. */
  current(): T;
  /** Stops and starts it, for new settings. */
  restart(): Promise<void>;
  /** Ends it for good. */
  stop(): Promise<void>;
}

const LONGEST_DELAY_MS = 10_000;
/** A process that lived this long had started well: the next series of restarts is counted from one. */
const CALM_MS = 30_000;

/** Starts a process and starts it again, with growing waits, whenever it dies. Throws when the first start fails. */
export async function keepRunning<T extends Running>(options: KeepRunningOptions<T>): Promise<Kept<T>> {
  const { name, log, firstDelayMs = 200 } = options;
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  let failures = 0;
  let startedAt = 0;

  let latest: T | undefined;
  const start = async (): Promise<T> => {
    latest = await options.start(died);
    startedAt = performance.now();
    options.onStart?.();
    return latest;
  };
  const bringBack = async (): Promise<void> => {
    while (!stopped()) {
      const delay = Math.min(LONGEST_DELAY_MS, firstDelayMs * 2 ** failures++);
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopped()) return;
      try {
        const { pid } = await start();
        log.warn({ name, pid }, `${name} is started again`);
        return;
      } catch (error) {
        log.error({ name, err: error }, `${name} could not be started again`);
      }
    }
  };
  function died(exit: Exit): void {
    if (stopped()) return;
    if (performance.now() - startedAt > CALM_MS) failures = 0;
    log.error({ name, ...exit }, `${name} ended (${exit.signal ?? `status ${String(exit.code)}`})`);
    changes = changes.then(bringBack);
  }

  let changes: Promise<void> = Promise.resolve();
  const first = await start();
  const current = (): T => latest ?? first;
  return {
    current,
    restart() {
      const change = changes.then(async () => {
        await current().stop();
        failures = 0;
        try {
          if (!stopped()) await start();
        } catch (error) {
          changes = changes.then(bringBack);
          throw error;
        }
      });
      changes = change.catch(() => undefined);
      return change;
    },
    async stop() {
      stopping.abort();
      await changes;
      await current().stop();
    },
  };
}
