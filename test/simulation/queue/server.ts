import { UnrecoverableError, type JobsOptions } from 'bullmq';
import { jobKey, QUEUE_PREFIX, type QueueName } from '../../../src/queue/jobs.js';
import { SortedSet, type Keyspace } from '../redis/keyspace.js';

export interface TakenJob {
  id: string;
  data: string;
}

/**
 * What BullMQ does in Redis, one atomic step each. It stands under the keys that BullMQ gives it, as far as the service looks
 * at them: a failover forgets jobs with all else, and a reservation finds the job it names.
 */
export interface QueueServer {
  /** A job whose id is there already is not added again. */
  add(queue: QueueName, id: string, data: string, options: JobsOptions): void;
  /** The job that has waited longest, locked for the holder of the token. */
  take(queue: QueueName, token: string, lockMs: number): TakenJob | null;
  /** False where the lock is lost. */
  renew(queue: QueueName, id: string, token: string, lockMs: number): boolean;
  /** False where the lock is lost: the job stays as it is. */
  complete(queue: QueueName, id: string, token: string): boolean;
  fail(queue: QueueName, id: string, token: string, error: unknown): boolean;
  /** Jobs that nobody holds any more wait again; those that were so too often fail. */
  recoverStalled(queue: QueueName, maxStalled: number): string[];
  retryFailed(queue: QueueName): number;
  counts(queue: QueueName): Record<'waiting' | 'active' | 'delayed' | 'failed', number>;
  /** Milliseconds until the next delayed job is due; null: there is none. */
  nextDelay(queue: QueueName): number | null;
}

export function createQueueServer(keys: Keyspace): QueueServer {
  const keyOf = (queue: QueueName, name: string): string => `${QUEUE_PREFIX}:${queue}:${name}`;
  const list = (queue: QueueName, name: 'wait' | 'active'): string[] => keys.open<string[]>(keyOf(queue, name), Array);
  const sorted = (queue: QueueName, name: 'delayed' | 'failed'): SortedSet => keys.open(keyOf(queue, name), SortedSet);
  const job = (queue: QueueName, id: string): Map<string, string> | undefined =>
    keys.find<Map<string, string>>(jobKey(queue, id), Map);
  const lockKey = (queue: QueueName, id: string): string => `${jobKey(queue, id)}:lock`;
  const count = (fields: Map<string, string>, name: string): number => {
    const next = Number(fields.get(name) ?? 0) + 1;
    fields.set(name, String(next));
    return next;
  };
  const lock = (queue: QueueName, id: string, token: string, ms: number): void => {
    keys.set(lockKey(queue, id), token);
    keys.expiries.set(lockKey(queue, id), keys.nowMs() + ms);
  };
  const leave = (queue: QueueName, id: string): void => {
    const active = list(queue, 'active');
    const at = active.indexOf(id);
    if (at !== -1) active.splice(at, 1);
    keys.delete(lockKey(queue, id));
  };
  const promote = (queue: QueueName): void => {
    const delayed = sorted(queue, 'delayed');
    for (const [id, due] of [...delayed.entries()]) {
      if (due > keys.nowMs()) break;
      delayed.delete(id);
      list(queue, 'wait').unshift(id);
    }
  };
  const isHeld = (queue: QueueName, id: string, token: string): boolean =>
    job(queue, id) !== undefined && keys.text(lockKey(queue, id)) === token;
  const end = (queue: QueueName, id: string, remove: boolean): void => {
    leave(queue, id);
    if (remove) keys.delete(jobKey(queue, id));
    else sorted(queue, 'failed').set(id, keys.nowMs());
  };

  return {
    add(queue, id, data, options) {
      if (job(queue, id) !== undefined) return;
      keys.set(
        jobKey(queue, id),
        new Map([
          ['data', data],
          ['opts', JSON.stringify(options)],
        ]),
      );
      list(queue, 'wait').unshift(id);
    },
    take(queue, token, lockMs) {
      promote(queue);
      const id = list(queue, 'wait').pop();
      if (id === undefined) return null;
      list(queue, 'active').unshift(id);
      lock(queue, id, token, lockMs);
      return { id, data: job(queue, id)?.get('data') ?? '' };
    },
    renew(queue, id, token, lockMs) {
      if (!isHeld(queue, id, token)) return false;
      lock(queue, id, token, lockMs);
      return true;
    },
    complete(queue, id, token) {
      if (!isHeld(queue, id, token)) return false;
      const options = JSON.parse(job(queue, id)?.get('opts') ?? '{}') as JobsOptions;
      leave(queue, id);
      if (options.removeOnComplete === true) keys.delete(jobKey(queue, id));
      return true;
    },
    fail(queue, id, token, error) {
      const fields = job(queue, id);
      if (fields === undefined || !isHeld(queue, id, token)) return false;
      const options = JSON.parse(fields.get('opts') ?? '{}') as JobsOptions;
      const made = count(fields, 'atm');
      if (error instanceof UnrecoverableError || made >= (options.attempts ?? 1)) {
        end(queue, id, options.removeOnFail === true);
        return true;
      }
      leave(queue, id);
      const delay = typeof options.backoff === 'object' ? (options.backoff.delay ?? 0) : 0;
      if (delay > 0) sorted(queue, 'delayed').set(id, keys.nowMs() + delay);
      else list(queue, 'wait').push(id);
      return true;
    },
    recoverStalled(queue, maxStalled) {
      const stalled = list(queue, 'active').filter((id) => keys.text(lockKey(queue, id)) === undefined);
      for (const id of stalled) {
        const fields = job(queue, id);
        if (fields !== undefined && count(fields, 'stc') > maxStalled) end(queue, id, false);
        else {
          leave(queue, id);
          if (fields !== undefined) list(queue, 'wait').push(id);
        }
      }
      return stalled;
    },
    retryFailed(queue) {
      const failed = sorted(queue, 'failed');
      const ids = failed.entries().map(([id]) => id);
      for (const id of ids) {
        failed.delete(id);
        list(queue, 'wait').unshift(id);
      }
      return ids.length;
    },
    counts: (queue) => ({
      waiting: list(queue, 'wait').length,
      active: list(queue, 'active').length,
      delayed: sorted(queue, 'delayed').scores.size,
      failed: sorted(queue, 'failed').scores.size,
    }),
    nextDelay(queue) {
      const [next] = sorted(queue, 'delayed').entries();
      return next === undefined ? null : Math.max(0, next[1] - keys.nowMs());
    },
  };
}
