/** One turn of background work; true when there was something to do and there may be more, `idle` when nothing waits for any time. */
export type Loop = () => Promise<boolean | 'idle'>;

export interface RunningLoop {
  /** Resolves when the turn under way has ended. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  /** Wait after a turn that found nothing to do. */
  idleMs: number;
  /** Wait after a turn that worked. */
  busyMs: number;
  /** Takes a function that ends the wait after an `idle` turn. */
  onWork?: (wake: () => void) => void;
  /** `inARow`: how many turns have failed without one between them that succeeded, this one included. */
  onError: (error: unknown, inARow: number) => void;
}

const ERROR_WAIT_MS = 1_000;
/** After an `idle` turn: other processes make work as well, and wake no one here. */
const IDLE_MS = 2_000;

export function runLoop(turn: Loop, { idleMs, busyMs, onWork, onError }: LoopOptions): RunningLoop {
  let stopped = false;
  let failures = 0;
  let isWoken = false;
  let endPause: () => void = () => undefined;
  let endIdlePause: () => void = () => undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const pauseUntilWork = async (): Promise<void> => {
    if (isWoken) return;
    const pausing = pause(IDLE_MS);
    endIdlePause = endPause;
    await pausing;
    endIdlePause = () => undefined;
  };
  onWork?.(() => {
    isWoken = true;
    endIdlePause();
  });

  const run = async (): Promise<void> => {
    while (!stopped) {
      let wait: number;
      let found: boolean | 'idle' = false;
      isWoken = false;
      try {
        found = await turn();
        wait = found === true ? busyMs : idleMs;
        failures = 0;
      } catch (error) {
        onError(error, ++failures);
        wait = ERROR_WAIT_MS;
      }
      // `stop` may have been called during the turn.
      if (!(stopped as boolean) && found === 'idle') await pauseUntilWork();
      if (!(stopped as boolean)) await pause(wait);
    }
  };
  const done = run();

  return {
    async stop() {
      stopped = true;
      endPause();
      await done;
    },
  };
}

/**
 * The same loop, which rests after each turn so as to take this share of the time of one core; asked again while it rests. A turn
 * that failed is followed by no such rest: it may have waited a minute for a store that was away.
 *
 * @param leastMs of a rest, and of the wait before the first turn, while the share is less than the whole core
 */
export function resting(turn: Loop, share: () => number, leastMs = 0): Loop {
  let endedAt = 0;
  let tookMs = 0;
  let limitedAt: number | null = null;
  return async () => {
    const startedAt = performance.now();
    const part = share();
    limitedAt = part < 1 ? (limitedAt ?? startedAt) : null;
    const rest = limitedAt === null ? 0 : Math.max(tookMs / part - tookMs, leastMs);
    if (startedAt - Math.max(endedAt, limitedAt ?? 0) < rest) return false;
    tookMs = 0;
    const found = await turn();
    endedAt = performance.now();
    tookMs = endedAt - startedAt;
    return found;
  };
}
