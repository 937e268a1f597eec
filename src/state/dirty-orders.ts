import type { Redis } from 'ioredis';
import { script } from './script.js';
import { STAMP_KEY, TAKE_STAMPS } from './stamps.js';

/**
 * Orders whose attribution is behind their events: a sorted set, member `shop\norder id`, score an arrival stamp. An order
 * leaves only when its score is still the one that was read before its attribution was computed.
 */
export interface DirtyOrder {
  shopId: string;
  orderId: string;
  /** Score of the mark. */
  stamp: number;
}

export interface DirtyOrders {
  mark(shopId: string, orderIds: readonly string[]): Promise<void>;
  /** Marks to work on, in the order of arrival. */
  peek(limit: number): Promise<DirtyOrder[]>;
  /** Removes the marks that nothing has renewed since they were read. */
  clear(orders: readonly DirtyOrder[]): Promise<void>;
  count(): Promise<number>;
}

const KEY = 'dirty:orders';

const MARK = `${TAKE_STAMPS}
local stamp = string.format('%.0f', take_stamps(KEYS[2], 1))
local args = {}
for i = 1, #ARGV do
  args[#args + 1] = stamp
  args[#args + 1] = ARGV[i]
end
redis.call('ZADD', KEYS[1], unpack(args))
return #ARGV`;

const CLEAR = `
for i = 1, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call('ZREM', KEYS[1], ARGV[i]) end
end`;

const CHUNK = 1_000;

export function createDirtyOrders(redis: Redis): DirtyOrders {
  const mark = script(redis, 'markDirtyOrders', MARK);
  const clear = script(redis, 'clearDirtyOrders', CLEAR);
  return {
    async mark(shopId, orderIds) {
      for (let i = 0; i < orderIds.length; i += CHUNK) {
        await mark(
          [KEY, STAMP_KEY],
          orderIds.slice(i, i + CHUNK).map((orderId) => `${shopId}\n${orderId}`),
        );
      }
    },
    async peek(limit) {
      const found = await redis.zrange(KEY, 0, String(limit - 1), 'WITHSCORES');
      const flat = found.flat() as unknown as (string | number)[];
      const orders: DirtyOrder[] = [];
      for (let i = 0; i + 1 < flat.length; i += 2) {
        const [shopId = '', orderId = ''] = String(flat[i]).split('\n');
        orders.push({ shopId, orderId, stamp: Number(flat[i + 1]) });
      }
      return orders;
    },
    async clear(orders) {
      for (let i = 0; i < orders.length; i += CHUNK) {
        const chunk = orders.slice(i, i + CHUNK);
        await clear(
          [KEY],
          chunk.flatMap(({ shopId, orderId, stamp }) => [`${shopId}\n${orderId}`, stamp]),
        );
      }
    },
    count: () => redis.zcard(KEY),
  };
}
