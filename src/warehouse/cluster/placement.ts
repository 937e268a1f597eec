/**
 * Where the rows of a table lie among shards. All versions of a key lie on one shard, where they replace each other, and so does
 * all that a view joins: a view sees the rows of its own shard alone.
 *
 * - A text: the key whose hash names the one shard of a row.
 * - `everywhere`: every server has every row.
 * - `views`: views write it, each on its own shard, and nobody else may: a reader adds up what the shards have.
 */
export type Placement = 'everywhere' | 'views' | Key;
type Key = `cityHash64(${string})`;

const BY_ORDER = 'cityHash64(shop_id, order_id)';
/** Not by visitor: a repeat meets its first, whatever visitor it names. */
const BY_EVENT = 'cityHash64(shop_id, event_id)';
const BY_SHOP = 'cityHash64(shop_id)';

/** Every table of the migrations. */
export const PLACEMENT: Readonly<Record<string, Placement>> = {
  orders: BY_ORDER,
  order_days: BY_ORDER,
  order_keys: BY_ORDER,
  order_attribution: BY_ORDER,

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
  daily_products_history: 'views',

  // On one shard alone, or the spend of a day would count once a shard.
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
  // Of a table that is everywhere: so is what a view on it writes.
  product_costs_history: 'everywhere',

  ingest_log: BY_SHOP,
  push_hours: BY_SHOP,
  rejections: BY_SHOP,
  // Views write it as well, each on its own shard: no row of it is out of place.
  day_causes: BY_SHOP,
  api_keys: 'cityHash64(key_hash)',
  // Every server knows by itself which shop a BI user sees.
  bi_users: 'everywhere',
};

/** Of what views write, that of which each row comes from rows of one key: it lies where they do. */
export const FOLLOWS: Readonly<Record<string, Key>> = {
  visitor_events: BY_EVENT,
  event_links: BY_EVENT,
  sources_history: BY_SHOP,
  gateway_fee_rules_history: BY_SHOP,
  expenses_history: BY_SHOP,
};

/** The tables of which each shard has its share: what its own rows come to. */
export const SHARES = Object.keys(PLACEMENT).filter(
  (table) => PLACEMENT[table] === 'views' && FOLLOWS[table] === undefined,
);

/** The shard of a shop, which has the past of all shares where they were put together. */
export const HOME = BY_SHOP;

/** The tables of which a row may lie on a wrong shard: then its key has versions on two. */
export const KEYED = Object.entries(PLACEMENT).flatMap(([table, key]) =>
  key === 'everywhere' || key === 'views' || table === 'day_causes' ? [] : [{ table, key }],
);

/** The shard of a row, from 0. With one more shard, as few rows as can be have another. */
export const shardOf = (key: string, shards: number): string => `jumpConsistentHash(${key}, ${shards})`;
