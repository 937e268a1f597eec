/**
 * On which shard the rows of a table lie. All versions of a key lie on one shard, where they replace each other, together with
 * everything that a view joins to them: a view sees the rows of its own shard alone.
 *
 * - An expression: the hash that determines the shard of a row.
 * - `everywhere`: every server has every row.
 * - `views`: only views write it, each on its own shard; a reader adds up the rows of all shards.
 */
export type Placement = 'everywhere' | 'views' | Key;
type Key = `cityHash64(${string})`;

const BY_ORDER = 'cityHash64(shop_id, order_id)';
/** Not by visitor: a repeated event must lie beside the first one, even if it names another visitor. */
const BY_EVENT = 'cityHash64(shop_id, event_id)';
const BY_SHOP = 'cityHash64(shop_id)';

/** The placement of every table of the schema. */
export const PLACEMENT: Readonly<Record<string, Placement>> = {
  orders: BY_ORDER,
  order_days: BY_ORDER,
  order_keys: BY_ORDER,
  order_attribution: BY_ORDER,
  order_checkouts: 'views',

  // Each shard computes its part of a day from its own orders and all of the catalog.
  rollup_requests: 'everywhere',
  figure_requests: 'everywhere',
  product_costs: 'everywhere',
  daily_products: 'views',
  costed_days: 'views',
  daily_orders: 'views',
  daily_channels: 'views',
  daily_orders_history: 'views',
  daily_channels_history: 'views',

  // On one shard alone, else the spend of a day would count once per shard.
  ad_spend: BY_SHOP,
  ad_spend_clears: BY_SHOP,
  spend_rollup_requests: BY_SHOP,

  events: BY_EVENT,
  visitor_events: 'views',
  event_links: 'views',

  sources: BY_SHOP,
  gateway_fee_rules: BY_SHOP,
  expenses: BY_SHOP,
  sources_history: 'views',
  gateway_fee_rules_history: 'views',
  expenses_history: 'views',

  ingest_log: BY_SHOP,
  push_hours: BY_SHOP,
  rejections: BY_SHOP,
  // Views write it too, each on its own shard, so its rows may lie on any shard.
  day_causes: BY_SHOP,
  api_keys: 'cityHash64(key_hash)',
  // Every server must know which shop a BI user sees.
  bi_users: 'everywhere',
};

/** Tables that views write of which each row is made from rows of one key: the key, since the row lies where they do. */
export const FOLLOWS: Readonly<Record<string, Key>> = {
  order_checkouts: BY_ORDER,
  visitor_events: BY_EVENT,
  event_links: BY_EVENT,
  sources_history: BY_SHOP,
  gateway_fee_rules_history: BY_SHOP,
  expenses_history: BY_SHOP,
};

/** The tables of which each shard has its share, computed from its own rows. */
export const SHARES = Object.keys(PLACEMENT).filter(
  (table) => PLACEMENT[table] === 'views' && FOLLOWS[table] === undefined,
);

/** The shard of a shop. It has the history of all shares after they were merged. */
export const HOME = BY_SHOP;

/** The tables whose rows must be checked for the right shard: on a wrong one, a key would have versions on two shards. */
export const KEYED = Object.entries(PLACEMENT).flatMap(([table, key]) =>
  key === 'everywhere' || key === 'views' || table === 'day_causes' ? [] : [{ table, key }],
);

/** The shard of a row, from 0. With this hash, as few rows as possible change their shard when shards are added. */
export const shardOf = (key: string, shards: number): string => `jumpConsistentHash(${key}, ${shards})`;
