/**
 * Turns for long work on the event loop: a large batch works for a few milliseconds, then everything else that waits is
 * answered before it, or the batch of another shop, goes on. Shops take turns, so that many batches of one shop delay the
 * single batch of another by no more than one.
 */
export interface Turns {
  /** Waits for the first turn of a piece of work of this owner. */
  begin(owner: string): Promise<Turn>;
}

export interface Turn {
  /** Whether the work has had the loop for long enough. */
  isOver(): boolean;
  /** Lets everything else go first. */
  next(): Promise<void>;
}

const TURN_MS = 5;
/** A step that could not be cut is followed by a rest as long as itself, at most by this. */
const LONGEST_REST_MS = 100;

export function createTurns(clock: () => number = () => performance.now()): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let startedAt = 0;
  let restMs = 0;
  let isScheduled = false;

  const resumeNext = (): void => {
    isScheduled = false;
    const [entry] = waiting;
    if (entry === undefined) return;
    if (restMs > 0) {
      isScheduled = true;
      setTimeout(resumeNext, restMs);
      restMs = 0;
      return;
    }
    const [owner, queue] = entry;
    const resume = queue.shift();
    waiting.delete(owner);
    if (queue.length > 0) waiting.set(owner, queue);
    startedAt = clock();
    resume?.();
    schedule();
  };

  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    setImmediate(resumeNext);
  };

  const wait = (owner: string): Promise<void> =>
    new Promise((resolve) => {
      const queue = waiting.get(owner);
      if (queue === undefined) waiting.set(owner, [resolve]);
      else queue.push(resolve);
      schedule();
    });

  const usedMs = (): number => clock() - startedAt;

  return {
    async begin(owner) {
      await wait(owner);
      return {
        isOver: () => usedMs() >= TURN_MS,
        next() {
          if (usedMs() > 2 * TURN_MS) restMs = Math.min(usedMs(), LONGEST_REST_MS);
          return wait(owner);
        },
      };
    },
  };
}

/** For work that is never long. */
export const NO_TURNS: Turn = { isOver: () => false, next: () => Promise.resolve() };
