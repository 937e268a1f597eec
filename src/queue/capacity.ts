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
  /** Why writes are refused. */
  over: Over;
  /** Why events are refused, which leave room to all others. */
  eventsOver: Over;
}

/** The part of the budget that is used up; null while writes are accepted. */
type Over = 'bytes' | 'age' | null;

export interface Capacity {
  /** Throws `queue_unavailable` while the queues are over their budget, of whose age events are no part. */
  require(): void;
  /** Throws it while events are over theirs. */
  requireForEvents(): void;
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
/** Of the memory that queues share: events without end close the door to events, and orders and costs go on. */
const SHARE_OF_EVENTS = 0.75;

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
  let view: QueueView = {
    states: new Map(),
    standstill: [],
    memory: { used: 0, limit: 0 },
    over: null,
    eventsOver: null,
  };
  const shareOfEvents = queues.includes('events') && queues.length > 1 ? SHARE_OF_EVENTS : 1;

  const look = async (): Promise<void> => {
    const [info, states] = await Promise.all([redis.info('memory'), readQueueStates(redis, queues)]);
    const number = (field: string): number => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
    const used = number('used_memory');
    const limit = number('maxmemory');
    const mostBytes = limit === 0 ? maxBytes : Math.min(maxBytes, limit * SHARE_OF_LIMIT);
    const oldest = (isAsked: (name: QueueName) => boolean): number =>
      Math.max(0, ...[...states].map(([name, { oldestMs }]) => (isAsked(name) ? oldestMs : 0)));
    const overOf = (was: Over, bytes: number, ageMs: number): Over => {
      const isOver = (kind: Over, value: number, most: number) => value > (was === kind ? most * SLACK : most);
      return isOver('bytes', used, bytes) ? 'bytes' : isOver('age', ageMs, maxAgeMs) ? 'age' : null;
    };
    const standsStill = ({ name, progress }: (typeof watched)[number]): boolean => {
      const state = states.get(name);
      return state !== undefined && progress.isStandstill(state, performance.now());
    };
    view = {
      states,
      standstill: watched.filter(standsStill).map(({ name }) => name),
      memory: { used, limit },
      over: overOf(
        view.over,
        mostBytes,
        oldest((name) => name !== 'events'),
      ),
      eventsOver: overOf(
        view.eventsOver,
        mostBytes * shareOfEvents,
        oldest((name) => name === 'events'),
      ),
    };
  };
  const requireRoom = (over: Over): void => {
    isAsked = true;
    if (over !== null) throw unavailable('queue_unavailable', REFUSALS[over]);
  };
  const isOpen = (): boolean => view.over === null && view.eventsOver === null;
  let isAsked = true;
  let leftOut = 0;
  const timer = setInterval(() => {
    const isIdle = !isAsked && isOpen() && [...view.states.values()].every(isEmpty);
    if (isIdle && leftOut++ < LOOKS_LEFT_OUT) return;
    isAsked = false;
    leftOut = 0;
    void look().catch(() => undefined);
  }, INTERVAL_MS);
  timer.unref();
  return {
    require: () => requireRoom(view.over),
    requireForEvents: () => requireRoom(view.eventsOver),
    ok: () => isOpen() && view.standstill.length === 0,
    view: () => view,
    stop: () => clearInterval(timer),
  };
}

const isEmpty = ({ waiting, active, delayed }: QueueState): boolean => waiting + active + delayed === 0;
