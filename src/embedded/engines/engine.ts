import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

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

/** A process that was started, and how to end it. */
export interface Running {
  pid: number;
  /** Ends the process; resolves when it is gone, and does nothing when it is gone already. */
  stop(): Promise<void>;
}

/** A followed process. */
export interface Engine {
  process: ChildProcess;
  /** Settles when the process has ended; never rejects. */
  exited: Promise<Exit>;
  /** The end of its output, for the message when it ends early. */
  lastWords(): string;
}

const LAST_WORDS_LENGTH = 4_000;

/**
 * Follows a child started with piped output: keeps the end of it, and hands on whole lines, several at once where they
 * came at once, each with its line feed.
 */
export function follow(process: ChildProcess, onLines?: (lines: string, from: 'stdout' | 'stderr') => void): Engine {
  let tail = '';
  const take = (lines: string, from: 'stdout' | 'stderr') => {
    tail = (tail + lines).slice(-LAST_WORDS_LENGTH);
    onLines?.(lines, from);
  };
  for (const from of ['stdout', 'stderr'] as const) {
    let rest = '';
    process[from]?.setEncoding('utf8').on('data', (text: string) => {
      const end = text.lastIndexOf('\n') + 1;
      if (end > 0) take(rest + text.slice(0, end), from);
      rest = end > 0 ? text.slice(end) : rest + text;
    });
    process[from]?.on('end', () => {
      if (rest !== '') take(`${rest}\n`, from);
    });
  }
  const exited = new Promise<Exit>((resolve) => {
    process.once('exit', (code, signal) => {
      // The rest of its output may still be on the way; a grandchild can keep the pipe open for longer.
      setTimeout(() => resolve({ code, signal }), 200);
      process.once('close', () => resolve({ code, signal }));
    });
    process.once('error', (error) => {
      tail += error.message;
      resolve({ code: null, signal: null });
    });
  });
  return { process, exited, lastWords: () => tail.trim() };
}

/**
 * The handle of a followed process. `askToStop` begins a clean end; after `ms` the process is killed.
 * `onExit` is called when it ends without `stop` having been asked.
 */
export function stoppable(
  engine: Engine,
  askToStop: () => unknown,
  ms: number,
  onExit?: (exit: Exit) => void,
): Running {
  let stopping: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await askToStop();
    if (!(await within(engine.exited, ms))) engine.process.kill('SIGKILL');
    await engine.exited;
  };
  void engine.exited.then((exit) => {
    if (!stopping) onExit?.(exit);
  });
  return { pid: engine.process.pid ?? 0, stop: () => (stopping ??= end()) };
}

/** Waits for `promise` at most `ms`; undefined when it took longer. */
export const within = <T>(promise: Promise<T>, ms: number): Promise<T | undefined> =>
  Promise.race([promise, sleep(ms, undefined, { ref: false })]);
