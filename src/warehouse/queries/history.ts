/**
 * What stood at {asOf:UInt64}, in place of the tables that hold what stands now (clickhouse/migrations/018_history.sql). Each
 * is a sub-query over {shop:String}, and where it has days over {from:Date} to {to:Date}.
 */

/** The shard that a row comes from; 0 on a single server. Each keeps the history of its own share of a day. */
export const SHARD = 'shardNum()';

/** Of several rows of a key the one that ends next: those that stand end last, and of two of them the later rebuild counts. */
const NEXT_END = 'held_until, computed_at DESC';
const DAYS = 'shop_id = {shop:String} AND day BETWEEN {from:Date} AND {to:Date} AND held_until > {asOf:UInt64}';
/** Orders and refunds are at most a day ahead of the clock, and a time zone at most another: what comes later was not there. */
const NOT_AHEAD = 'day <= toDate(intDiv({asOf:UInt64}, 1000000)) + 2';

/** As `daily_orders FINAL` of the range. */
export const DAILY_ORDERS_THEN = `(
  SELECT * FROM (
    SELECT * FROM daily_orders_history
    WHERE ${DAYS} AND (part = 'spend' OR ${NOT_AHEAD})
    ORDER BY day, part, ${NEXT_END} LIMIT 1 BY ${SHARD}, day, part
  ) WHERE held_since <= {asOf:UInt64}
)`;

/** As the entries of `daily_channels FINAL` of the range, one a row. */
export const CREDITS_THEN = `(
  SELECT * FROM (
    SELECT * FROM daily_channels_history
    WHERE ${DAYS} AND ${NOT_AHEAD} AND model = {model:String}
    ORDER BY day, channel, parts, ${NEXT_END} LIMIT 1 BY ${SHARD}, day, channel, parts
  ) WHERE held_since <= {asOf:UInt64} AND (orders != 0 OR revenue != 0 OR refunds != 0)
)`;

/** As the entries of `daily_products FINAL` of the range, one a row. */
export const PRODUCTS_THEN = `(
  SELECT *, if(has_unit_cost, toNullable(own_unit_cost), NULL) AS unit_cost FROM (
    SELECT * FROM daily_products_history
    WHERE ${DAYS} AND ${NOT_AHEAD}
    ORDER BY day, sku, cost_day, has_unit_cost, own_unit_cost, ${NEXT_END}
    LIMIT 1 BY ${SHARD}, day, sku, cost_day, has_unit_cost, own_unit_cost
  ) WHERE held_since <= {asOf:UInt64} AND entries > 0
)`;

/** As `product_costs FINAL` of the SKUs that a sub-query gives. */
export const catalogThen = (skus: string): string => `(
  SELECT * FROM (
    SELECT sku, since, unit_cost, held_since, is_deleted FROM product_costs_history
    WHERE shop_id = {shop:String} AND held_until > {asOf:UInt64} AND sku GLOBAL IN (${skus})
    ORDER BY sku, effective_from, is_epoch_day, ${NEXT_END} LIMIT 1 BY sku, effective_from, is_epoch_day
  ) WHERE held_since <= {asOf:UInt64} AND is_deleted = 0
)`;

/** The rows of a table of settings that hold at the moment, one a `key`; without one, one of the shop. */
export const settingsThen = (table: string, key = 'shop_id'): string => `(
  SELECT * FROM (
    SELECT * FROM ${table}_history WHERE shop_id = {shop:String} AND held_until > {asOf:UInt64}
    ORDER BY ${key}, ${NEXT_END} LIMIT 1 BY ${key}
  ) WHERE held_since <= {asOf:UInt64}
)`;
