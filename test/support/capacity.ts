/**
 * What one order and one event cost, measured on one machine of two busy cores with the embedded engines, one shop, pushes of
 * 250 orders or 20 events, until their figures show: CPU time, and bytes on disk once parts are merged. The highest of three runs.
 */
const ORDER = { clickhouseMs: 0.74, nodeMs: 0.33, redisMs: 0.039, bytes: 200 };
const EVENT = { clickhouseMs: 0.112, nodeMs: 0.164, redisMs: 0.006, bytes: 88 };
/** Rows of rollups for a shop's day, whatever sold: assumed. */
const SHOP_DAY_BYTES = 1_000;
/** Cores are loaded to a half, so that a peak or a lost process finds room; disks too, for merges and backups. */
const ROOM = 2;
const CACHED_ORDER_BYTES = 130;
const DAYS_OF_YEAR = 365;

export interface Load {
  ordersPerSecond: number;
  eventsPerSecond: number;
  /** Kept. */
  orders: number;
  events: number;
  shops: number;
}

export interface Need {
  clickhouseCores: number;
  /** API and workers together. */
  nodeCores: number;
  /** Of Redis, which has one core: more than 1 is more than one Redis carries. */
  ordersRedis: number;
  eventsRedis: number;
  diskGb: number;
  cacheGb: number;
}

export function needOf({ ordersPerSecond, eventsPerSecond, orders, events, shops }: Load): Need {
  const cores = (part: 'clickhouseMs' | 'nodeMs' | 'redisMs', ofOrders: number, ofEvents: number): number =>
    (ROOM * (ofOrders * ORDER[part] + ofEvents * EVENT[part])) / 1_000;
  const bytes = orders * ORDER.bytes + events * EVENT.bytes + shops * DAYS_OF_YEAR * SHOP_DAY_BYTES;
  return {
    clickhouseCores: cores('clickhouseMs', ordersPerSecond, eventsPerSecond),
    nodeCores: cores('nodeMs', ordersPerSecond, eventsPerSecond),
    ordersRedis: cores('redisMs', ordersPerSecond, 0),
    eventsRedis: cores('redisMs', 0, eventsPerSecond),
    diskGb: (ROOM * bytes) / 1e9,
    // The newest versions of the orders of a day.
    cacheGb: (Math.min(orders, ordersPerSecond * 86_400) * CACHED_ORDER_BYTES) / 1e9,
  };
}
