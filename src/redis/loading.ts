import { setTimeout as sleep } from 'node:timers/promises';
import { askRedis } from './one-connection.js';
import type { RedisServer } from './redis.js';

/** How far a Redis is that reads its files back at its start, in bytes. It answers no command that needs data meanwhile. */
export interface Loading {
  loaded: number;
  total: number;
}

const ANSWER_MS = 5_000;
/** Between two parts of its files a Redis answers nothing, which takes seconds on a busy machine. */
const LOADING_ANSWER_MS = 60_000;
const RETRY_MS = 250;
const SAY_MS = 5_000;
/** A Redis with all the data that it may have takes some minutes on a slow disk. */
const LONGEST_MS = 30 * 60_000;

/** Null: it serves. Throws when it can't be asked. */
export async function readLoading(server: RedisServer, ms = ANSWER_MS): Promise<Loading | null> {
  const state = await askRedis(server, (redis) => redis.info('persistence'), ms);
  const number = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(state)?.[1] ?? 0);
  if (number('loading') === 0) return null;
  return { loaded: number('loading_loaded_bytes'), total: number('loading_total_bytes') };
}

export function loadingText({ loaded, total }: Loading): string {
  const share = total > 0 ? ` (${Math.min(99, Math.floor((100 * loaded) / total))} % of ${megabytes(total)} MB)` : '';
  return `Redis is reading its files back${share}`;
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);

/** Waits while a Redis reads its files back, and says so. Throws when it can't be asked, and after half an hour. */
export async function untilLoaded(server: RedisServer, say: (text: string) => void): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  let answerMs = ANSWER_MS;
  for (let saidAt = -Infinity; ;) {
    const loading = await readLoading(server, answerMs);
    if (loading === null) return;
    answerMs = LOADING_ANSWER_MS;
    const text = loadingText(loading);
    if (performance.now() > end) throw new Error(`${text}: it is not ready after ${LONGEST_MS / 60_000} minutes`);
    if (performance.now() - saidAt >= SAY_MS) {
      saidAt = performance.now();
      say(text);
    }
    await sleep(RETRY_MS);
  }
}
