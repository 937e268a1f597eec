import type { Redis } from 'ioredis';
import { unavailable } from '../errors.js';
import type { QueueName } from './jobs.js';
import { createProgress } from './progress.js';
import { readQueueStates, type QueueState } from './queue-state.js';

export interface Budget {
  /** Memory that Redis uses; at most three quarters of its own limit. */
  maxBytes: number;
  /** Age of the oldest job that no worker has tried. */
  maxAgeMs: number;
}

/** The state of the queues at the last look. */
export interface QueueView {
  /** Empty before the first look. */
  states: ReadonlyMap<QueueName, QueueState>;
  /** Queues that no job has left for some time although jobs wait. */
  standstill: readonly QueueName[];
  /** Memory of Redis; the limit is 0 if there is none. */
  memory: { used: number; limit: number };
  /** Why writes are refused; null while they are accepted. */
  over: 'bytes' | 'age' | null;
}

export interface Capacity {
  /** Throws `queue_unavailable` while the queues are over their budget. */
  require(): void;
  /** False while writes are refused, and when a queue is stuck. */
  ok: () => boolean;
  view: () => QueueView;
  stop(): void;
}

const INTERVAL_MS = 1_000;
/** Looks that are left out while the queues are empty and no one asks to fill them. */
const LOOKS_LEFT_OUT = 9;
/** Writes are accepted again only at this share of a limit, so that refusals do not alternate. */
const SLACK = 0.9;
/** At its own limit Redis also refuses the writes of workers, and no job would ever leave the queue. */
const SHARE_OF_LIMIT = 0.75;

const REFUSALS = {
  bytes: 'The queue is full; nothing was taken. Send the request again later.',
  age: 'The queue is too far behind; nothing was taken. Send the request again later.',
} as const;

/**
 * Backpressure: while workers are behind, accepted pushes pile up in Redis. Over the budget writes are refused with
 * `Retry-After`, long before Redis runs out of memory; workers go on.
 */
export function watchCapacity(redis: Redis, queues: readonly QueueName[], { maxBytes, maxAgeMs }: Budget): Capacity {
  const watched = queues.map((name) => ({ name, progress: createProgress() }));
  let view: QueueView = { states: new Map(), standstill: [], memory: { used: 0, limit: 0 }, over: null };

  const look = async (): Promise<void> => {
    const [info, states] = await Promise.all([redis.info('memory'), readQueueStates(redis, queues)]);
    const number = (field: string): number => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
    const used = number('used_memory');
    const limit = number('maxmemory');
    const mostBytes = limit === 0 ? maxBytes : Math.min(maxBytes, limit * SHARE_OF_LIMIT);
    const oldest = Math.max(0, ...[...states.values()].map(({ oldestMs }) => oldestMs));
    const isOver = (kind: 'bytes' | 'age', value: number, most: number): boolean =>
      value > (view.over === kind ? most * SLACK : most);
    const standsStill = ({ name, progress }: (typeof watched)[number]): boolean => {
      const state = states.get(name);
      return state !== undefined && progress.isStandstill(state, performance.now());
    };
    view = {
      states,
      standstill: watched.filter(standsStill).map(({ name }) => name),
      memory: { used, limit },
      over: isOver('bytes', used, mostBytes) ? 'bytes' : isOver('age', oldest, maxAgeMs) ? 'age' : null,
    };
  };
  let isAsked = true;
  let leftOut = 0;
  const timer = setInterval(() => {
    const isIdle = !isAsked && view.over === null && [...view.states.values()].every(isEmpty);
    if (isIdle && leftOut++ < LOOKS_LEFT_OUT) return;
    isAsked = false;
    leftOut = 0;
    void look().catch(() => undefined);
  }, INTERVAL_MS);
  timer.unref();
  return {
    require() {
      isAsked = true;
      if (view.over !== null) throw unavailable('queue_unavailable', REFUSALS[view.over]);
    },
    ok: () => view.over === null && view.standstill.length === 0,
    view: () => view,
    stop: () => clearInterval(timer),
  };
}

const isEmpty = ({ waiting, active, delayed }: QueueState): boolean => waiting + active + delayed === 0;
