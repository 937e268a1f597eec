/**
 * Long work on the event loop yields: a large batch works for a moment, then everything else that waits is answered
 * before it, or the batch of another shop, goes on. Shops share the loop by the time that they took of it, so that many
 * batches of one, or batches that can't be cut well, delay the single batch of another by little. While a short request
 * waits for its answer, long work has half of the loop.
 *
 * Measured while one shop pushes bodies of 4 MB one after the other: of 100 reads of another, 99 wait for 15 to 34 ms
 * of work; without yielding for 93 to 119 ms, and for a step of up to 200 ms.
 */
export interface Yielding {
  /** Waits until a piece of work of this owner may begin. */
  begin(owner: string): Promise<Yielder>;
  /** A short request waits; the result is called when it waits no longer. */
  prioritize(): () => void;
}

export interface Yielder {
  /** Whether the work has had the loop for long enough. */
  isDue(): boolean;
  /** Lets everything else go first. */
  yield(): Promise<void>;
}

/** A push of at most this is worked on at once: it takes about as long as a slice, whatever it holds. */
export const SHORT_BODY_BYTES = 8 * 1024;
/** A short request goes through some ten rounds of the loop, and may meet a slice of long work in each of them. */
const SLICE_MS = 1;
/** A request that takes longer, such as a list of all orders, holds up long work no more. */
const PRIORITY_MS = 250;
/** A step that could not be cut is rested for in full up to this. */
const LONGEST_REST_MS = 100;

export function createYielding(clock: () => number = () => performance.now()): Yielding {
  const waiting = new Map<string, (() => void)[]>();
  const usage = createUsage();
  let startedAt = 0;
  /** Who has the loop; null once it has gone on. */
  let current: object | null = null;
  let restsUntil = 0;
  let shortRequests = 0;
  let isScheduled = false;
  let rest: NodeJS.Timeout | null = null;

  const resumeNext = (): void => {
    isScheduled = false;
    current = null;
    const owner = usage.least(waiting.keys());
    if (owner === undefined) return;
    startedAt = clock();
    if (shortRequests > 0 && startedAt < restsUntil) {
      rest = setTimeout(endRest, restsUntil - startedAt);
      return;
    }
    const queue = waiting.get(owner) ?? [];
    const resume = queue.shift();
    waiting.delete(owner);
    if (queue.length > 0) waiting.set(owner, queue);
    schedule();
    resume?.();
  };

  const schedule = (): void => {
    if (isScheduled || rest !== null) return;
    isScheduled = true;
    setImmediate(resumeNext);
  };

  const endRest = (): void => {
    if (rest === null) return;
    clearTimeout(rest);
    rest = null;
    schedule();
  };

  const wait = (owner: string, yielder: object): Promise<void> =>
    new Promise((resolve) => {
      const resume = (): void => {
        current = yielder;
        resolve();
      };
      const queue = waiting.get(owner);
      if (queue === undefined) waiting.set(owner, [resume]);
      else queue.push(resume);
      schedule();
    });

  return {
    async begin(owner) {
      const yielder: Yielder = {
        // After a wait for something else the loop has gone on, and who worked meanwhile is unknown.
        isDue: () => current !== yielder || clock() - startedAt >= SLICE_MS,
        yield() {
          if (current === yielder) {
            const usedMs = clock() - startedAt;
            usage.charge(owner, usedMs);
            restsUntil = startedAt + usedMs + Math.min(usedMs, LONGEST_REST_MS);
          }
          return wait(owner, yielder);
        },
      };
      await wait(owner, yielder);
      return yielder;
    },
    prioritize() {
      shortRequests++;
      let isWaiting = true;
      const done = (): void => {
        if (!isWaiting) return;
        isWaiting = false;
        clearTimeout(limit);
        if (--shortRequests === 0) endRest();
      };
      const limit = setTimeout(done, PRIORITY_MS);
      return done;
    },
  };
}

interface Usage {
  /** Who has taken least of the loop; the first of equals. */
  least(owners: Iterable<string>): string | undefined;
  charge(owner: string, ms: number): void;
}

/** Owners that are remembered although they may have nothing to do any more. */
const MAX_OWNERS = 1_000;

/** The time that owners have taken; a new one begins with as much as the last who was chosen. */
function createUsage(): Usage {
  const taken = new Map<string, number>();
  let floor = 0;
  const of = (owner: string): number => Math.max(taken.get(owner) ?? 0, floor);
  return {
    least(owners) {
      let found: string | undefined;
      for (const owner of owners) if (found === undefined || of(owner) < of(found)) found = owner;
      if (found !== undefined) floor = of(found);
      return found;
    },
    charge(owner, ms) {
      taken.set(owner, of(owner) + ms);
      if (taken.size > MAX_OWNERS) for (const [each, time] of taken) if (time <= floor) taken.delete(each);
    },
  };
}

/** For work that is never long. */
export const NEVER_YIELDS: Yielder = { isDue: () => false, yield: () => Promise.resolve() };
