import type { Redis } from 'ioredis';

/** Sessions of operators. Redis holds only hashes, with which no one can sign in. */
export interface SessionState {
  put(hash: string, ttlMs: number): Promise<void>;
  /** Milliseconds until the session ends; null if there is none. */
  lifetime(hash: string): Promise<number | null>;
  remove(hash: string): Promise<void>;
  /** True for the first call with this ticket, false for all others. */
  useTicket(hash: string, ttlMs: number): Promise<boolean>;
}

export function createSessionState(redis: Redis): SessionState {
  const key = (hash: string): string => `app:session:${hash}`;
  return {
    async put(hash, ttlMs) {
      await redis.set(key(hash), '1', 'PX', ttlMs);
    },
    async lifetime(hash) {
      const left = await redis.pttl(key(hash));
      return left > 0 ? left : null;
    },
    async remove(hash) {
      await redis.del(key(hash));
    },
    async useTicket(hash, ttlMs) {
      return (await redis.set(`app:ticket:${hash}`, '1', 'PX', ttlMs, 'NX')) === 'OK';
    },
  };
}
