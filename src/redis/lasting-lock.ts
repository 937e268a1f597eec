import type { Redis } from 'ioredis';
import { createRelease, HELD_MS, lockKey, takeLock } from './locks.js';
import { scriptFile } from './script.js';

/** Another process holds the lock, or took it over. */
export class LockError extends Error {
  override readonly name = 'LockError';
}

export interface LastingLockOptions {
  name: string;
  /** Longest wait for other holders. */
  waitMs: number;
  /** The lock of a process that died expires after this. */
  heldMs?: number;
}

const RETRY_MS = 250;

/**
 * Runs long work while no other process runs work under the same name. The work calls `requireLock` before each step, which throws a
 * {@link LockError} if the lock was lost, because this process or Redis hung for longer than `heldMs`. Scripts can check the token.
 */
export async function withLastingLock<T>(
  redis: Redis,
  { name, waitMs, heldMs = HELD_MS }: LastingLockOptions,
  work: (requireLock: () => Promise<void>, token: string) => Promise<T>,
): Promise<T> {
  const token = await takeLock(redis, name, { heldMs, waitMs, retryMs: () => RETRY_MS });
  if (token === null) throw new LockError(`another process holds the lock "${name}"; try again when it has ended`);
  const runRenew = scriptFile(redis, 'renew-lock');
  const renew = async (): Promise<boolean> => (await runRenew([lockKey(name)], { token, held: heldMs })) === 1;
  const timer = setInterval(() => void renew().catch(() => undefined), heldMs / 3);
  try {
    return await work(async () => {
      if (!(await renew())) throw new LockError(`the lock "${name}" was lost to another process; start again`);
    }, token);
  } finally {
    clearInterval(timer);
    await createRelease(redis)(name, token);
  }
}
