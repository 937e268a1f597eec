import type { Redis } from 'ioredis';
import type { Who } from '../domain/people.js';

/** A session as it is kept. Times are milliseconds since 1970. */
export interface StoredSession extends Who {
  /** Names the session without giving it away. */
  id: string;
  beganAt: number;
  seenAt: number;
}

/** Sessions of the app. Redis holds only hashes of their secrets, with which no one can sign in. */
export interface SessionState {
  put(hash: string, session: StoredSession, ttlMs: number): Promise<void>;
  get(hash: string): Promise<StoredSession | null>;
  /** Writes a session again, unless it was ended meanwhile. */
  renew(hash: string, session: StoredSession, ttlMs: number): Promise<void>;
  remove(hash: string, personId: string): Promise<void>;
  /** Those of a person that live, the newest first. */
  list(personId: string): Promise<StoredSession[]>;
  /** Ends those of a person; only the one of this id where it is given. Tells how many there were. */
  end(personId: string, id?: string): Promise<number>;
  /** True for the first call with this ticket, false for all others. */
  useTicket(hash: string, ttlMs: number): Promise<boolean>;
  /** Remembers a network, of which only a keyed hash is known here. */
  noteNetwork(hash: string, ttlMs: number): Promise<void>;
  isNetwork(hash: string): Promise<boolean>;
}

/** Sessions of one person; the oldest ends when one more begins. */
const MOST = 500;
const LONGEST_MS = 30 * 24 * 60 * 60 * 1000;

const key = (hash: string): string => `app:session:${hash}`;
const network = (hash: string): string => `app:network:${hash}`;
/** Hashes of the sessions of a person by the time at which they began. */
const index = (personId: string): string => `app:sessions:${personId}`;

export function createSessionState(redis: Redis): SessionState {
  const read = (text: string | null | undefined): StoredSession | null =>
    text == null ? null : (JSON.parse(text) as StoredSession);

  const all = async (personId: string): Promise<{ hash: string; session: StoredSession }[]> => {
    const hashes = await redis.zrevrange(index(personId), 0, -1);
    if (hashes.length === 0) return [];
    const texts = await redis.mget(hashes.map(key));
    return hashes.flatMap((hash, i) => {
      const session = read(texts[i]);
      return session === null ? [] : [{ hash, session }];
    });
  };
  const drop = async (personId: string, hashes: readonly string[]): Promise<void> => {
    if (hashes.length === 0) return;
    await redis.del(hashes.map(key));
    await redis.zrem(index(personId), ...hashes);
  };

  return {
    async put(hash, session, ttlMs) {
      const of = index(session.personId);
      const written = await redis
        .multi()
        .set(key(hash), JSON.stringify(session), 'PX', ttlMs)
        .zremrangebyscore(of, 0, session.beganAt - LONGEST_MS)
        .zadd(of, session.beganAt, hash)
        .pexpire(of, LONGEST_MS)
        .exec();
      const failed = written?.find(([error]) => error !== null)?.[0];
      if (failed != null) throw failed;
      await drop(session.personId, await redis.zrange(of, 0, String(-MOST - 1)));
    },
    get: async (hash) => read(await redis.get(key(hash))),
    async renew(hash, session, ttlMs) {
      await redis.set(key(hash), JSON.stringify(session), 'PX', ttlMs, 'XX');
    },
    remove: (hash, personId) => drop(personId, [hash]),
    list: async (personId) => (await all(personId)).map(({ session }) => session),
    async end(personId, id) {
      const ending = (await all(personId)).filter(({ session }) => id === undefined || session.id === id);
      await drop(
        personId,
        ending.map(({ hash }) => hash),
      );
      return ending.length;
    },
    async useTicket(hash, ttlMs) {
      return (await redis.set(`app:ticket:${hash}`, '1', 'PX', ttlMs, 'NX')) === 'OK';
    },
    async noteNetwork(hash, ttlMs) {
      await redis.set(network(hash), '1', 'PX', ttlMs);
    },
    isNetwork: async (hash) => (await redis.exists(network(hash))) === 1,
  };
}
