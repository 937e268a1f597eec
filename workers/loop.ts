/** One turn of background work; true when there was something to do and there may be more. */
export type Loop = () => Promise<boolean>;

export interface RunningLoop {
  /** Resolves when the turn under way has ended. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  /** Wait after a turn that found nothing to do. */
  idleMs: number;
  /** Wait after a turn that worked. */
  busyMs: number;
  /** `inARow`: how many turns have failed without one between them that succeeded, this one included. */
  onError: (error: unknown, inARow: number) => void;
}

const ERROR_WAIT_MS = 1_000;

export function runLoop(turn: Loop, { idleMs, busyMs, onError }: LoopOptions): RunningLoop {
  let stopped = false;
  let failures = 0;
  let wake: () => void = () => undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    while (!stopped) {
      let wait: number;
      try {
        wait = (await turn()) ? busyMs : idleMs;
        failures = 0;
      } catch (error) {
        onError(error, ++failures);
        wait = ERROR_WAIT_MS;
      }
      // `stop` may have been called during the turn.
      if (!(stopped as boolean)) await pause(wait);
    }
  };
  const done = run();

  return {
    async stop() {
      stopped = true;
      wake();
      await done;
    },
  };
}

/**
 * The same loop, which rests after each turn so as to take this share of the time of one core; asked anew while it rests. A turn
 * that failed is followed by no such rest: it may have waited a minute for a store that was away.
 */
export function resting(turn: Loop, share: () => number): Loop {
  let endedAt = 0;
  let tookMs = 0;
  return async () => {
    const startedAt = performance.now();
    if (startedAt - endedAt < tookMs / share() - tookMs) return false;
    tookMs = 0;
    const isBusy = await turn();
    endedAt = performance.now();
    tookMs = endedAt - startedAt;
    return isBusy;
  };
}
