import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { lockKey } from './locks.js';

/** Another process holds the lock, or took it over. */
export class LockError extends Error {
  override readonly name = 'LockError';
}

export interface LastingLockOptions {
  name: string;
  /** Longest wait for others to end. */
  waitMs: number;
  /** The lock of a process that died expires after this. */
  heldMs?: number;
}

const HELD_MS = 15_000;
const RETRY_MS = 250;

const RENEW = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`;

const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Runs long work while no other process runs any under the same name. The work calls `requireLock` before each of its steps:
 * it throws a {@link LockError} when the lock was lost, because this process or Redis hung for longer than it is held.
 */
export async function withLastingLock<T>(
  redis: Redis,
  { name, waitMs, heldMs = HELD_MS }: LastingLockOptions,
  work: (requireLock: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const key = lockKey(name);
  const token = randomUUID();
  const until = Date.now() + waitMs;
  while ((await redis.set(key, token, 'PX', heldMs, 'NX')) === null) {
    if (Date.now() > until)
      throw new LockError(`another process holds the lock "${name}"; try again when it has ended`);
    await sleep(RETRY_MS);
  }
  const renew = async (): Promise<boolean> => (await redis.eval(RENEW, 1, key, token, heldMs)) === 1;
  const timer = setInterval(() => void renew().catch(() => undefined), heldMs / 3);
  try {
    return await work(async () => {
      if (!(await renew())) throw new LockError(`the lock "${name}" was lost to another process; start again`);
    });
  } finally {
    clearInterval(timer);
    await redis.eval(RELEASE, 1, key, token).catch(() => undefined); // else it comes free by itself
  }
}
