/**
 * The state at {asOf:UInt64}, in place of the tables that hold the current state (clickhouse/schema/008_figures_history.sql,
 * 009_settings_history.sql). Each is a sub-query over {shop:String}, and where it has days over {from:Date} to {to:Date}. Columns are
 * named one by one: with `SELECT *` the engine spends as much on columns that no one asks for as on the question.
 */

/** `valid_until` of the current state of settings. */
export const STANDING = '18446744073709551615';

const VERSIONS =
  'daily_orders_history WHERE shop_id = {shop:String} AND day BETWEEN {from:Date} AND {to:Date} AND valid_from <= {asOf:UInt64}';

/** As `daily_orders AS d FINAL WHERE` of the range. First which rows it is, by narrow columns: a day that took many pushes has many. */
export const DAILY_ORDERS_THEN = `(
  SELECT day, sums, estimable.payment_gateway, estimable.orders, estimable.revenue, uncosted_skus, spend.channel,
    spend.currency, spend.amount
  FROM ${VERSIONS}
    AND (day, part, computed_at) IN (SELECT day, part, max(computed_at) FROM ${VERSIONS} GROUP BY day, part)
  LIMIT 1 BY day, part
) AS d`;

/** Of the rows of a setting that end after the moment: the values of the one that ends next, of two of them the newest. */
export const stateThen = (values: string): string => `argMin((${values}), (valid_until, bitNot(computed_at)))`;
/** Likewise the first change after the moment. */
export const CHANGES_AT = 'min(if(valid_from > {asOf:UInt64}, valid_from, valid_until))';
