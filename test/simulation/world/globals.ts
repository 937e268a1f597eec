import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import zlib from 'node:zlib';
import './scheduler.js'; // keeps the real setImmediate
import type { Scheduler } from './scheduler.js';

/**
 * Puts time, chance and threads under the rule of a scheduler, for all code of this process. Imported before anything of the
 * service, which may keep what it finds here. Until the first world there is only the real one.
 */
let scheduler: Scheduler | null = null;

/** Of the history that runs now. */
export function enterWorld(world: Scheduler | null): void {
  scheduler = world;
}

interface Timer {
  cancel: () => void;
  unref: () => Timer;
  ref: () => Timer;
}

const world = (): Scheduler => {
  if (scheduler === null) throw new Error('no history runs');
  return scheduler;
};

function after(ms: number, run: () => void): Timer {
  const { now, current, at, timerLateMs } = world();
  const { cancel } = at(now() + (ms > 0 ? ms + timerLateMs() : 0), current(), run);
  const timer: Timer = { cancel, unref: () => timer, ref: () => timer };
  return timer;
}

function repeat(ms: number, run: () => void): Timer {
  let isOver = false;
  const next = (): void => {
    if (isOver) return;
    run();
    timer = after(ms, next);
  };
  let timer = after(ms, next);
  const whole: Timer = {
    cancel() {
      isOver = true;
      timer.cancel();
    },
    unref: () => whole,
    ref: () => whole,
  };
  return whole;
}

const REAL = { Date: globalThis.Date, randomUUID: crypto.randomUUID.bind(crypto) };
const clock = (): number => {
  if (scheduler === null) return REAL.Date.now();
  return Math.floor(scheduler.now() + (scheduler.current()?.skewMs ?? 0));
};

function seededUuid(): string {
  if (scheduler === null) return REAL.randomUUID();
  const { random } = scheduler;
  const hex = (digits: number): string => Array.from({ length: digits }, () => random.int(0, 15).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

const realNow = Date.now;
const realRandom = Math.random;
export const realClock = performance.now.bind(performance);

function install(): void {
  const cancel = (timer?: Timer): void => timer?.cancel();
  Object.assign(globalThis, {
    setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => after(ms, () => run(...args)),
    setInterval: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => repeat(ms, () => run(...args)),
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => after(0, () => run(...args)),
    clearTimeout: cancel,
    clearInterval: cancel,
    clearImmediate: cancel,
  });
  Date.now = () => (scheduler === null ? realNow() : clock());
  Math.random = () => (scheduler === null ? realRandom() : scheduler.random.next());
  performance.now = () => (scheduler === null ? realClock() : clock());
  Object.assign(timers, {
    setTimeout: (ms?: number, value?: unknown) =>
      new Promise((resolve) => {
        after(ms ?? 0, () => resolve(value));
      }),
  });
  Object.assign(crypto, { randomUUID: seededUuid });
  // On a thread of the runtime the end of it would be no seed's to decide.
  const { deflateRawSync } = zlib;
  Object.assign(zlib, {
    deflateRaw: (
      bytes: Buffer,
      options: zlib.ZlibOptions,
      done: (error: Error | null, result: Buffer) => void,
    ): void => {
      const packed = deflateRawSync(bytes, { level: options.level ?? 1 });
      after(world().random.int(0, 2), () => done(null, packed));
    },
  });
  syncBuiltinESMExports();
}

install();
