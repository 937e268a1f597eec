import { UnrecoverableError } from 'bullmq';

export interface JoinOptions<Job> {
  /** Writes all jobs in one go; repeating it must be harmless. */
  flush: (jobs: readonly Job[]) => Promise<void>;
  /** True for a failure that the data causes: sending the same again can't succeed. */
  isPoison: (error: unknown) => boolean;
  /** True for a failure that may pass, but that one of the jobs may cause as well: a refusal nobody foresaw. */
  isDoubtful: (error: unknown) => boolean;
  /** Jobs of one flush at most. */
  maxJobs: number;
  /** Flushes under way at the same time. */
  maxFlushes: number;
  /** First and longest wait between tries of a flush that failed for a passing reason. */
  retryMs?: { first: number; longest: number };
  onRetry?: (error: unknown, jobs: number) => void;
}

export interface Joiner<Job> {
  /** Resolves once the flush that holds the job has succeeded. Rejects with an UnrecoverableError when it is poisoned. */
  add(job: Job): Promise<void>;
  /** No more retries: what can't be written now is given back to the queue. */
  stop(): void;
}

/** So often is a flush of several jobs tried before it is taken apart for a doubtful failure. */
const DOUBTFUL_TRIES = 5;

interface Entry<Job> {
  job: Job;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Joins jobs into few large writes without a timer: what has arrived while the writes under way lasted goes as the next
 * one. A passing failure is tried again until it succeeds; a flush that its data breaks is taken apart job by job, so that
 * one poisoned job never blocks its neighbours. So is one that fails doubtfully for some time: who fails alone goes back to
 * the queue.
 */
export function createJoiner<Job>(options: JoinOptions<Job>): Joiner<Job> {
  const { flush, isPoison, isDoubtful, maxJobs, maxFlushes, onRetry } = options;
  const { first, longest } = options.retryMs ?? { first: 200, longest: 5_000 };
  const waiting: Entry<Job>[] = [];
  let running = 0;
  let stopped = false;

  const attempt = async (jobs: readonly Job[], doubtfulTries: number): Promise<void> => {
    for (let wait = first, tries = 1; ; wait = Math.min(wait * 2, longest), tries++) {
      try {
        await flush(jobs);
        return;
      } catch (error) {
        if (isPoison(error) || stopped || (isDoubtful(error) && tries >= doubtfulTries)) throw error;
        onRetry?.(error, jobs.length);
        await new Promise((resolve) => setTimeout(resolve, wait));
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
      if (only !== undefined && (others.length === 0 || !apart)) {
        const reason = isPoison(error) ? new UnrecoverableError(messageOf(error)) : error;
        for (const entry of entries) entry.reject(reason);
        return;
      }
      for (const entry of entries) await write([entry], isPoison(error) ? doubtfulTries : 1);
    }
  };

  const next = (): void => {
    while (running < maxFlushes && waiting.length > 0) {
      const entries = waiting.splice(0, maxJobs);
      running++;
      void write(entries).finally(() => {
        running--;
        next();
      });
    }
  };

  return {
    add: (job) =>
      new Promise((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        // Jobs that arrive in the same turn go together.
        if (waiting.length === 1) setImmediate(next);
        else if (waiting.length >= maxJobs) next();
      }),
    stop() {
      stopped = true;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
