import { createHeap } from './heap.js';
import { createRandom, type Random } from './random.js';

/** A simulated process: what belongs to it stops when it is killed, and waits while it is paused. */
export interface Process {
  readonly name: string;
  isAlive: boolean;
  pausedUntil: number;
  /** How far its clock is off, in milliseconds. */
  skewMs: number;
}

interface Event {
  at: number;
  /** Decides between events of the same time. */
  order: number;
  process: Process | null;
  run: () => void;
  isCancelled: boolean;
}

/** One seed decides the order of everything that happens. */
export interface Scheduler {
  readonly random: Random;
  /** Simulated milliseconds since 1970. */
  now: () => number;
  /** The process whose code runs; null: the world itself. */
  current: () => Process | null;
  /** How late a timer is, as on a busy machine: in a third of the histories not at all. */
  timerLateMs: () => number;
  /** Runs something later, as part of a process. */
  at: (ms: number, process: Process | null, run: () => void) => { cancel: () => void };
  /** Runs code as a process at once. */
  as: <T>(process: Process | null, run: () => T) => T;
  /** Time passes, in which nothing happens. */
  jump: (ms: number) => void;
  /** Lets events happen until `isOver` or the time is reached; false when it was the time. */
  run: (isOver: () => boolean, untilMs: number) => Promise<boolean>;
  events: () => number;
}

export const START_MS = Date.UTC(2026, 2, 10, 9);

/** Comes after all promises that can go on have gone on: a tick is taken when no microtask is left. */
const settled = (): Promise<void> =>
  new Promise((resolve) => process.nextTick(() => queueMicrotask(() => process.nextTick(resolve))));

export function createScheduler(seed: number): Scheduler {
  const random = createRandom(seed);
  const heap = createHeap<Event>();
  let now = START_MS;
  let current: Process | null = null;
  let events = 0;
  const mostLateMs = random.pick([0, 100, 300]);

  const as = <T>(process: Process | null, run: () => T): T => {
    const previous = current;
    current = process;
    try {
      return run();
    } finally {
      current = previous;
    }
  };

  return {
    random,
    now: () => now,
    current: () => current,
    timerLateMs: () => mostLateMs * random.next(),
    as,
    at(ms, process, run) {
      const event: Event = { at: Math.max(now, ms), order: random.next(), process, run, isCancelled: false };
      heap.push(event);
      return { cancel: () => (event.isCancelled = true) };
    },
    jump: (ms) => (now += ms),
    async run(isOver, untilMs) {
      while (!isOver()) {
        const event = heap.pop();
        if (event === undefined || event.at > untilMs) {
          if (event !== undefined) heap.push(event);
          return false;
        }
        if (event.isCancelled || event.process?.isAlive === false) continue;
        now = Math.max(now, event.at);
        if (event.process !== null && event.process.pausedUntil > now) {
          event.at = event.process.pausedUntil;
          heap.push(event);
          continue;
        }
        events++;
        // Until all that this has set going waits for another event.
        current = event.process;
        event.run();
        await settled();
        current = null;
      }
      return true;
    },
    events: () => events,
  };
}
