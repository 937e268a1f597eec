import type { Redis } from 'ioredis';

/** When each person looked at each shop. Without it, changes since the last visit are not shown. */
export interface Visits {
  /** When the visit before the one at `nowMs` ended; null: that is the first, or not known. */
  endBefore(personId: string, shopId: string, nowMs: number): Promise<number | null>;
  /** Notes that the person looks at the shop. */
  note(personId: string, shopId: string, nowMs: number): Promise<void>;
  forget(personId: string): Promise<void>;
}

/** A visit ends when nothing was looked at for so long. */
const GAP_MS = 30 * 60_000;
/** As long as the past of figures is usually kept. */
const KEPT_MS = 400 * 24 * 60 * 60_000;
/** Shops of one person; the one that was looked at longest ago makes room. */
const MAX_SHOPS = 1_000;

interface Visit {
  /** When the one before ended; 0: there was none. */
  before: number;
  seen: number;
}

const key = (personId: string): string => `app:visits:${personId}`;
const parse = (text: string): Visit => {
  const [before = 0, seen = 0] = text.split(' ').map(Number);
  return { before, seen };
};

export function createVisits(redis: Redis): Visits {
  const endBefore = async (personId: string, shopId: string, nowMs: number): Promise<number | null> => {
    const text = await redis.hget(key(personId), shopId);
    const { before, seen } = parse(text ?? '');
    return (nowMs - seen > GAP_MS ? seen : before) || null;
  };
  const makeRoom = async (personId: string): Promise<void> => {
    if ((await redis.hlen(key(personId))) <= MAX_SHOPS) return;
    const visits = Object.entries(await redis.hgetall(key(personId)));
    const oldest = visits.sort(([, a], [, b]) => parse(a).seen - parse(b).seen).slice(0, -MAX_SHOPS);
    await redis.hdel(key(personId), ...oldest.map(([shopId]) => shopId));
  };
  return {
    endBefore,
    async note(personId, shopId, nowMs) {
      const visit = `${(await endBefore(personId, shopId, nowMs)) ?? 0} ${nowMs}`;
      await redis.multi().hset(key(personId), shopId, visit).pexpire(key(personId), KEPT_MS).exec();
      await makeRoom(personId);
    },
    async forget(personId) {
      await redis.del(key(personId));
    },
  };
}
