import { createHmac, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { MS_PER_DAY } from '../domain/time.js';

/** An order by shop and id. */
interface ShopOrder {
  shopId: string;
  id: string;
}

export const DROP_CAUSES = ['bot', 'clock'] as const;
/** Why an event was dropped that named an order: a bot sent it, or its time can't be. */
export type DropCause = (typeof DROP_CAUSES)[number];

/** An order that a dropped event named. */
export interface DroppedName {
  id: string;
  cause: DropCause;
}

/**
 * Orders that were named by an event which was dropped: it tells why an order is unattributed, and nothing else is kept of the event.
 * Ids are kept as keyed hashes, for 48 hours.
 */
export interface DroppedNames {
  add(shopId: string, names: readonly DroppedName[]): Promise<void>;
  /** Those of these orders that are known here. */
  among(orders: readonly ShopOrder[]): Promise<(ShopOrder & DroppedName)[]>;
}

const KEPT_MS = 2 * MS_PER_DAY;
/** Of a shop, the newest: a bound for what a flood of made-up events takes. */
const MAX_NAMES = 10_000;
const SECRET_KEY = 'dropped:secret';
const HASH_CHARACTERS = 22;

const key = (shopId: string): string => `dropped:{${shopId}}`;

export function createDroppedNames(redis: Redis, now: () => number): DroppedNames {
  let secret: Promise<string> | undefined;
  const hash = async ({ id, cause }: DroppedName): Promise<string> => {
    secret ??= readSecret(redis).catch((error: unknown) => {
      secret = undefined;
      throw error;
    });
    return createHmac('sha256', await secret)
      .update(`${cause} ${id}`)
      .digest('base64url')
      .slice(0, HASH_CHARACTERS);
  };
  return {
    async add(shopId, names) {
      if (names.length === 0) return;
      const hashes = await Promise.all(names.map(hash));
      await redis
        .multi()
        .zremrangebyscore(key(shopId), '-inf', now() - KEPT_MS)
        .zadd(key(shopId), ...hashes.flatMap((name) => [now(), name]))
        .zremrangebyrank(key(shopId), 0, -MAX_NAMES - 1)
        .pexpire(key(shopId), KEPT_MS)
        .exec();
    },
    async among(orders) {
      const byShop = new Map<string, ShopOrder[]>();
      for (const order of orders) {
        const own = byShop.get(order.shopId);
        if (own === undefined) byShop.set(order.shopId, [order]);
        else own.push(order);
      }
      const found = await Promise.all(
        [...byShop].map(async ([shopId, own]) => {
          if ((await redis.exists(key(shopId))) === 0) return [];
          const names = own.flatMap((order) => DROP_CAUSES.map((cause) => ({ ...order, cause })));
          const scores = await redis.zmscore(key(shopId), ...(await Promise.all(names.map(hash))));
          return names.filter((_, i) => Number(scores[i] ?? 0) > now() - KEPT_MS);
        }),
      );
      return found.flat();
    },
  };
}

async function readSecret(redis: Redis): Promise<string> {
  await redis.set(SECRET_KEY, randomBytes(32).toString('hex'), 'NX');
  const secret = await redis.get(SECRET_KEY);
  if (secret === null) throw new Error('Redis has lost the secret that was just written');
  return secret;
}
