/**
 * Turns for long work on the event loop: a large batch works for a moment, then everything else that waits is answered
 * before it, or the batch of another shop, goes on. Shops share the loop by the time that they took of it, so that many
 * batches of one, or batches that can't be cut well, delay the single batch of another by little. While a short request
 * waits for its answer, long work has half of the loop.
 */
export interface Turns {
  /** Waits for the first turn of a piece of work of this owner. */
  begin(owner: string): Promise<Turn>;
  /** Says that a short request waits; to be called back when it waits no longer. */
  hurry(): () => void;
}

export interface Turn {
  /** Whether the work has had the loop for long enough. */
  isOver(): boolean;
  /** Lets everything else go first. */
  next(): Promise<void>;
}

/** A push of at most this is worked on at once: it takes about as long as a turn, whatever it holds. */
export const SHORT_BODY_BYTES = 8 * 1024;
/** A short request goes through some ten rounds of the loop, and may meet a turn in each of them. */
const TURN_MS = 1;
/** A request that takes longer, such as a list of all orders, holds up long work no more. */
const HURRY_MS = 250;
/** A step that could not be cut is rested for in full up to this. */
const LONGEST_REST_MS = 100;

export function createTurns(clock: () => number = () => performance.now()): Turns {
  const waiting = new Map<string, (() => void)[]>();
  const shares = createShares();
  let startedAt = 0;
  /** Whose turn it is: null once the loop has gone on. */
  let current: object | null = null;
  let restsUntil = 0;
  let hurried = 0;
  let isScheduled = false;
  let rest: NodeJS.Timeout | null = null;

  const resumeNext = (): void => {
    isScheduled = false;
    current = null;
    const owner = shares.least(waiting.keys());
    if (owner === undefined) return;
    startedAt = clock();
    if (hurried > 0 && startedAt < restsUntil) {
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

  const wait = (owner: string, turn: object): Promise<void> =>
    new Promise((resolve) => {
      const resume = (): void => {
        current = turn;
        resolve();
      };
      const queue = waiting.get(owner);
      if (queue === undefined) waiting.set(owner, [resume]);
      else queue.push(resume);
      schedule();
    });

  return {
    async begin(owner) {
      const turn: Turn = {
        // After a wait for something else the loop has gone on, and who worked meanwhile is unknown.
        isOver: () => current !== turn || clock() - startedAt >= TURN_MS,
        next() {
          if (current === turn) {
            const usedMs = clock() - startedAt;
            shares.charge(owner, usedMs);
            restsUntil = startedAt + usedMs + Math.min(usedMs, LONGEST_REST_MS);
          }
          return wait(owner, turn);
        },
      };
      await wait(owner, turn);
      return turn;
    },
    hurry() {
      hurried++;
      let isWaiting = true;
      const done = (): void => {
        if (!isWaiting) return;
        isWaiting = false;
        clearTimeout(limit);
        if (--hurried === 0) endRest();
      };
      const limit = setTimeout(done, HURRY_MS);
      return done;
    },
  };
}

interface Shares {
  /** Who has taken least of the loop; the first of equals. */
  least(owners: Iterable<string>): string | undefined;
  charge(owner: string, ms: number): void;
}

/** Owners that are remembered although they may have nothing to do any more. */
const MOST_OWNERS = 1_000;

/** The time that owners have taken; whoever comes anew begins with as much as the last who was chosen. */
function createShares(): Shares {
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
      if (taken.size > MOST_OWNERS) for (const [each, time] of taken) if (time <= floor) taken.delete(each);
    },
  };
}

/** For work that is never long. */
export const NO_TURNS: Turn = { isOver: () => false, next: () => Promise.resolve() };
