import { setTimeout as sleep } from 'node:timers/promises';
import { UnrecoverableError } from 'bullmq';
import { bisect } from './bisect.js';

/**
 * `permanent`: the data are at fault, so sending the same again can't succeed. `unclear`: it may pass, but one of the jobs may cause it as
 * well: a refusal that no one foresaw. `passing`: everything else.
 */
export type Failure = 'permanent' | 'unclear' | 'passing';

export interface JoinOptions<Job> {
  /** Writes all jobs in one go; repeating it must be harmless. */
  flush: (jobs: readonly Job[]) => Promise<void>;
  classify: (error: unknown) => Failure;
  /** Jobs of one flush at most. */
  maxJobs: number;
  /** No job is added to a flush that has this weight. */
  maxWeight?: number;
  weigh?: (job: Job) => number;
  /** The pushes of a job, each as a job, so that the one at fault is found. */
  pushesOf?: (job: Job) => readonly Job[];
  /** Names a part in the reason of a failure. */
  nameOf?: (job: Job) => string;
  /** Flushes under way at the same time. */
  maxFlushes: number;
  /** A flush of fewer than `maxJobs` begins so long after the one before it, so that jobs that trickle in share one. */
  gatherMs?: number;
  /** First and longest wait between tries of a flush that failed for a passing reason. */
  retryMs?: { first: number; longest: number };
  onRetry?: (error: unknown, jobs: readonly Job[]) => void;
  /** Called while jobs wait because as many flushes are under way as may be. */
  onWait?: () => void;
  /**
   * After a flush has not succeeded for this long, waiting jobs and new ones are rejected with a {@link StalledError} until one does;
   * never when absent.
   */
  stallMs?: number;
}

/** The store does not take writes: the job is to come back later, so that it holds no place of jobs for another store. */
export class StalledError extends Error {
  override readonly name = 'StalledError';
}

export interface Joiner<Job> {
  /** Resolves once the flush that holds the job has succeeded. Rejects with an UnrecoverableError when it is poisoned. */
  add(job: Job): Promise<void>;
  /** No more retries: what can't be written now is given back to the queue. */
  stop(): void;
}

/** So often is a flush tried before it is taken apart for an unclear failure. */
const UNCLEAR_TRIES = 5;
/** So many jobs of a flush, or pushes of a job, may fail unclearly by themselves: with more of them the reason is not theirs. */
const MAX_UNCLEAR = 2;

/** What is reported of why a job failed. */
const REASON_LENGTH = 1_000;
const MAX_REASONS = 10;

interface Entry<Job> {
  job: Job;
  weight: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Joins jobs into few large writes without a timer: what has arrived while the writes under way lasted goes as the next
 * one. A passing failure is tried again until it succeeds. A flush whose data are at fault is bisected, so that one poisoned job
 * never blocks its neighbours, and so are the pushes of that job. A flush that fails unclearly for some time is bisected as well: a job
 * that fails alone goes back to the queue.
 */
export function createJoiner<Job>(options: JoinOptions<Job>): Joiner<Job> {
  const { flush, classify, maxJobs, maxFlushes, gatherMs = 0, onRetry, onWait, stallMs } = options;
  const { maxWeight = Infinity, weigh = () => 0, pushesOf = (job: Job) => [job], nameOf = () => '' } = options;
  const { first, longest } = options.retryMs ?? { first: 200, longest: 5_000 };
  const waiting: Entry<Job>[] = [];
  let running = 0;
  let begunAt = -Infinity;
  let gathering: NodeJS.Timeout | undefined;
  let stopped = false;
  /** Flushes that have lasted too long. */
  let stalled = 0;
  const stall = (): void => {
    stalled++;
    for (const { reject } of waiting.splice(0)) reject(new StalledError());
  };

  const attempt = async (jobs: readonly Job[], unclearTries: number): Promise<void> => {
    for (let wait = first, tries = 1; ; wait = Math.min(wait * 2, longest), tries++) {
      try {
        await flush(jobs);
        return;
      } catch (error) {
        const failure = classify(error);
        if (failure === 'permanent' || stopped || (failure === 'unclear' && tries >= unclearTries)) throw error;
        onRetry?.(error, jobs);
        await sleep(wait);
      }
    }
  };

  /** Bisects jobs; those that fail unclearly by themselves are few, or it is no fault of theirs. */
  const bisectJobs = <Item>(
    items: readonly Item[],
    work: (items: readonly Item[]) => Promise<void>,
    blame: (item: Item, error: unknown) => void | Promise<void>,
  ): Promise<void> => {
    let unclear = 0;
    return bisect(items, {
      work,
      mayBlame: (error) => {
        const failure = classify(error);
        return failure === 'permanent' || (failure === 'unclear' && !stopped && unclear < MAX_UNCLEAR);
      },
      blame: (item, error) => {
        if (classify(error) === 'unclear') unclear++;
        return blame(item, error);
      },
    });
  };

  /** Writes what can be written of the entries, and ends each. */
  const write = async (entries: readonly Entry<Job>[]): Promise<void> => {
    const open = new Set(entries);
    let tries = UNCLEAR_TRIES;
    const writePart = async (part: readonly Entry<Job>[]): Promise<void> => {
      const jobs = part.map(({ job }) => job);
      await attempt(jobs, tries).finally(() => (tries = 1));
      for (const entry of part) {
        open.delete(entry);
        entry.resolve();
      }
    };
    await bisectJobs(entries, writePart, async (entry, error) => {
      open.delete(entry);
      await writePushes(entry.job, error).then(entry.resolve, entry.reject);
    }).catch((error: unknown) => {
      for (const entry of open) entry.reject(error);
    });
  };

  /** Writes what can be written of a job that failed by itself; rejects with the reason why the rest can't be. */
  const writePushes = async (job: Job, error: unknown): Promise<void> => {
    const pushes = pushesIn(job);
    const faults: { push: Job; error: unknown }[] = [];
    if (pushes.length < 2) faults.push({ push: job, error });
    else {
      await bisectJobs(
        pushes,
        (part) => attempt(part, 1),
        (push, fault) => void faults.push({ push, error: fault }),
      );
    }
    const passing = faults.find((fault) => classify(fault.error) !== 'permanent');
    if (passing !== undefined) throw passing.error;
    if (faults.length === 0) return;
    const reasons = faults.map((fault) => `${nameOf(fault.push)}${messageOf(fault.error)}`.slice(0, REASON_LENGTH));
    throw new UnrecoverableError(reasons.slice(0, MAX_REASONS).join('; '));
  };

  const pushesIn = (job: Job): readonly Job[] => {
    try {
      return pushesOf(job);
    } catch {
      return [job]; // what can't be read can't be split
    }
  };

  /** What goes in one flush. */
  const takeWaiting = (): Entry<Job>[] => {
    let count = 0;
    for (let weight = 0; count < waiting.length && count < maxJobs && (count === 0 || weight < maxWeight); count++) {
      weight += waiting[count]?.weight ?? 0;
    }
    return waiting.splice(0, count);
  };

  const next = (): void => {
    while (running < maxFlushes && waiting.length > 0) {
      const early = begunAt + gatherMs - performance.now();
      if (waiting.length < maxJobs && early > 0) {
        gathering ??= setTimeout(() => {
          gathering = undefined;
          next();
        }, early);
        return;
      }
      begunAt = performance.now();
      const entries = takeWaiting();
      running++;
      let hasStalled = false;
      const timer =
        stallMs === undefined
          ? undefined
          : setTimeout(() => {
              hasStalled = true;
              stall();
            }, stallMs);
      void write(entries).finally(() => {
        clearTimeout(timer);
        if (hasStalled) stalled--;
        running--;
        next();
      });
    }
    if (waiting.length > 0) onWait?.();
  };

  return {
    add: (job) =>
      new Promise((resolve, reject) => {
        if (stalled > 0) throw new StalledError();
        // What can't be weighed is refused alone.
        waiting.push({ job, weight: weigh(job), resolve, reject });
        // Jobs that arrive in the same turn go together.
        if (waiting.length === 1) setImmediate(next);
        else if (waiting.length >= maxJobs) next();
      }),
    stop() {
      stopped = true;
    },
  };
}

/** What the store itself said, where it did. */
function messageOf(error: unknown): string {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return reason instanceof Error ? reason.message : String(reason);
}
