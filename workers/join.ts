import { setTimeout as sleep } from 'node:timers/promises';
import { UnrecoverableError } from 'bullmq';

export interface JoinOptions<Job> {
  /** Writes all jobs in one go; repeating it must be harmless. */
  flush: (jobs: readonly Job[]) => Promise<void>;
  /** True for a failure that the data causes: sending the same again can't succeed. */
  isPoison: (error: unknown) => boolean;
  /** True for a failure that may pass, but that one of the jobs may cause as well: a refusal no one foresaw. */
  isDoubtful: (error: unknown) => boolean;
  /** Jobs of one flush at most. */
  maxJobs: number;
  /** No job is added to a flush that has this weight. */
  maxWeight?: number;
  weigh?: (job: Job) => number;
  /** Both halves of a job, so that the part at fault is found; null when it is one part. */
  split?: (job: Job) => [Job, Job] | null;
  /** Names a part in the reason of a failure. */
  nameOf?: (job: Job) => string;
  /** Flushes under way at the same time. */
  maxFlushes: number;
  /** First and longest wait between tries of a flush that failed for a passing reason. */
  retryMs?: { first: number; longest: number };
  onRetry?: (error: unknown, jobs: readonly Job[]) => void;
  /** Called for a job that comes while as many flushes are under way as may be. */
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

/** So often is a flush of several jobs tried before it is taken apart for a doubtful failure. */
const DOUBTFUL_TRIES = 5;

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
 * one. A passing failure is tried again until it succeeds; a flush that its data breaks is taken apart job by job, so that
 * one poisoned job never blocks its neighbours, and a job that holds several pushes half by half, for the same reason. So is
 * one that fails doubtfully for some time: who fails alone goes back to the queue.
 */
export function createJoiner<Job>(options: JoinOptions<Job>): Joiner<Job> {
  const { flush, isPoison, isDoubtful, maxJobs, maxFlushes, onRetry, onWait, stallMs } = options;
  const { maxWeight = Infinity, weigh = () => 0, split = () => null, nameOf = () => '' } = options;
  const { first, longest } = options.retryMs ?? { first: 200, longest: 5_000 };
  const waiting: Entry<Job>[] = [];
  let running = 0;
  let stopped = false;
  /** Flushes that have lasted too long. */
  let stalled = 0;
  const stall = (): void => {
    stalled++;
    for (const { reject } of waiting.splice(0)) reject(new StalledError());
  };

  const attempt = async (jobs: readonly Job[], doubtfulTries: number): Promise<void> => {
    for (let wait = first, tries = 1; ; wait = Math.min(wait * 2, longest), tries++) {
      try {
        await flush(jobs);
        return;
      } catch (error) {
        if (isPoison(error) || stopped || (isDoubtful(error) && tries >= doubtfulTries)) throw error;
        onRetry?.(error, jobs);
        await sleep(wait);
      }
    }
  };

  const write = async (entries: readonly Entry<Job>[], doubtfulTries = DOUBTFUL_TRIES): Promise<void> => {
    try {
      await attempt(
        entries.map((entry) => entry.job),
        doubtfulTries,
      );
      for (const entry of entries) entry.resolve();
    } catch (error) {
      const [only, ...others] = entries;
      const apart = isPoison(error) || (isDoubtful(error) && !stopped);
      if (!apart) for (const entry of entries) entry.reject(error);
      else if (only !== undefined && others.length === 0) await writeParts(only, error);
      else for (const entry of entries) await write([entry], isPoison(error) ? doubtfulTries : 1);
    }
  };

  /** Writes what can be written of a job, and ends it. */
  const writeParts = async ({ job, resolve, reject }: Entry<Job>, error: unknown): Promise<void> => {
    const faults = await faultsOf(job, error);
    const passing = faults.find((fault) => !isPoison(fault.error));
    if (faults.length === 0) resolve();
    else if (passing !== undefined) reject(passing.error);
    else {
      const reasons = faults.map((fault) => `${fault.name}${messageOf(fault.error)}`.slice(0, REASON_LENGTH));
      reject(new UnrecoverableError(reasons.slice(0, MAX_REASONS).join('; ')));
    }
  };

  /** The parts that can't be written; the others have been. */
  const faultsOf = async (job: Job, error: unknown): Promise<{ name: string; error: unknown }[]> => {
    const all = [{ name: nameOf(job), error }];
    const halves = isPoison(error) || isDoubtful(error) ? halvesOf(job) : null;
    if (halves === null || stopped) return all;
    const failed: { half: Job; error: unknown }[] = [];
    for (const half of halves) {
      await attempt([half], 1).catch((fault: unknown) => failed.push({ half, error: fault }));
    }
    // A doubtful failure of both is no fault of one part; to try all of them would be many tries.
    if (failed.length === 2 && !failed.some((one) => isPoison(one.error))) return all;
    const faults = [];
    for (const one of failed) faults.push(...(await faultsOf(one.half, one.error)));
    return faults;
  };

  const halvesOf = (job: Job): [Job, Job] | null => {
    try {
      return split(job);
    } catch {
      return null; // what can't be read can't be split
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
  };

  return {
    add: (job) =>
      new Promise((resolve, reject) => {
        if (stalled > 0) throw new StalledError();
        // What can't be weighed is refused alone.
        waiting.push({ job, weight: weigh(job), resolve, reject });
        if (running >= maxFlushes) onWait?.();
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
