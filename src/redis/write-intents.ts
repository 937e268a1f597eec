import type { Redis } from 'ioredis';
import { script } from './script.js';

/** A row that will be written. */
export interface WriteIntent {
  shopId: string;
  id: string;
  table: string;
  row: object;
}

/** Notes rows before they are written, until every server has them. */
export interface WriteIntents {
  /** False if the shop has too many open intents. */
  open(intent: WriteIntent, nowMs: number): Promise<boolean>;
  close(intent: Pick<WriteIntent, 'shopId' | 'id'>): Promise<void>;
  /** The intents of a shop from before a moment. */
  of(shopId: string, beforeMs: number): Promise<WriteIntent[]>;
  /** A shop with intents from before a moment that this method did not give since; null: none. */
  nextShop(beforeMs: number, nowMs: number): Promise<string | null>;
  /** How many shops have open intents. */
  countShops(): Promise<number>;
}

/** Most open intents of a shop. An intent stays open for longer than a request only if its write was cut off. */
export const MOST_OPEN = 100;
/** Sorted set, shop → when `nextShop` gave it last, or when its first intent began. */
const SHOPS = 'intents:shops';
/** Hash, id → `Held` as JSON. */
const intentsOf = (shopId: string): string => `intents:of:${shopId}`;

interface Held extends Pick<WriteIntent, 'table' | 'row'> {
  at: number;
}

const OPEN = `
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[5])
return 1`;

const CLOSE = `
redis.call('HDEL', KEYS[1], ARGV[1])
if redis.call('HLEN', KEYS[1]) == 0 then redis.call('ZREM', KEYS[2], ARGV[2]) end
return 0`;

const NEXT = `
local shop = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 1)[1]
if shop then redis.call('ZADD', KEYS[1], ARGV[2], shop) end
return shop`;

export function createWriteIntents(redis: Redis): WriteIntents {
  const [open, close, next] = [script(redis, OPEN), script(redis, CLOSE), script(redis, NEXT)];
  return {
    async open({ shopId, id, table, row }, nowMs) {
      const held: Held = { at: nowMs, table, row };
      return (await open([intentsOf(shopId), SHOPS], [id, JSON.stringify(held), nowMs, MOST_OPEN, shopId])) === 1;
    },
    async close({ shopId, id }) {
      await close([intentsOf(shopId), SHOPS], [id, shopId]);
    },
    async of(shopId, beforeMs) {
      const intents = Object.entries(await redis.hgetall(intentsOf(shopId)));
      return intents.flatMap(([id, text]) => {
        const { at, table, row } = JSON.parse(text) as Held;
        return at <= beforeMs ? [{ shopId, id, table, row }] : [];
      });
    },
    nextShop: async (beforeMs, nowMs) => (await next([SHOPS], [beforeMs, nowMs])) as string | null,
    countShops: () => redis.zcard(SHOPS),
  };
}
