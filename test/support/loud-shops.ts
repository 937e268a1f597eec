import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endProcess, messageOf } from './measured-process.js';

/** What one shop sends. */
export interface LoudOrder {
  /** Of the API. */
  url: string;
  kind: 'import' | 'bad orders' | 'flood';
  /** A secret key, or the token of a pixel. */
  key: string;
  /** Orders or events. */
  items: number;
  /** From one order to the next on average; 2 minutes if absent. */
  apartMs?: number;
}

/** A flood repeats so many events: what was sent before counts once. */
export const FLOOD_EVENTS = 40_000;

/** How it went, in items; refused requests count each time. */
export interface LoudResult {
  taken: number;
  rejected: number;
  /** Requests that were answered with 503 or 429, and those of them that named no time to wait. */
  refused: number;
  withoutWait: number;
  /** Of the taken orders, in hundredths of the currency. */
  cents: number;
}

export interface LoudShop {
  /** Resolves when all is sent, or what was under way when it was told to stop. */
  done: Promise<LoudResult>;
  hush(): void;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('loud-shop.ts', import.meta.url));

/** A shop that sends as much as it can. */
export function startLoudShop(order: LoudOrder): LoudShop {
  const child: ChildProcess = fork(PROGRAM, { execArgv: ['--import', 'tsx'] });
  const done = messageOf<LoudResult>(child);
  done.catch(() => undefined); // told to whoever waits for it
  child.send(order);
  return { done, hush: () => void child.send('hush'), stop: () => endProcess(child) };
}
