import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The part of a pino logger that the engines write to. */
export interface EngineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** How a process ended: exactly one of `code` and `signal` is set, unless it could not be started at all. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A started process and what it said last. */
export interface Engine {
  process: ChildProcess;
  /** Settles when the process has ended; never rejects. */
  exited: Promise<Exit>;
  /** Its last lines of output, for the message when it ends early. */
  lastWords(): string;
}

/** Follows a child started with piped output: keeps its last lines and hands each line on. */
export function follow(process: ChildProcess, onLine?: (line: string) => void): Engine {
  const tail: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      tail.push(line);
      if (tail.length > 20) tail.shift();
      onLine?.(line);
    });
  }
  const exited = new Promise<Exit>((resolve) => {
    process.once('exit', (code, signal) => resolve({ code, signal }));
    process.once('error', (error) => {
      tail.push(error.message);
      resolve({ code: null, signal: null });
    });
  });
  return { process, exited, lastWords: () => tail.join('\n') };
}

/** Waits for `promise` at most `ms`; undefined when it took longer. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls `probe` every `everyMs` until it answers true. False when the engine ended first.
 * Throws when `ms` have passed.
 */
export async function untilReady(engine: Engine, probe: () => Promise<boolean>, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end;) {
    if (await within(engine.exited, 25)) return false;
    if (await probe()) return true;
  }
  throw new Error(`not ready after ${ms / 1000} s\n${engine.lastWords()}`);
}
