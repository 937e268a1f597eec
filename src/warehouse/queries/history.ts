/**
 * The state at {asOf:UInt64}, in place of the tables that hold the current state (clickhouse/schema/008_figures_history.sql). Each
 * is a sub-query over {shop:String}, and where it has days over {from:Date} to {to:Date}. Columns are named one by one: with
 * `SELECT *` the engine spends as much on columns that no one asks for as on the question.
 */

/** `valid_until` of the current state. */
export const STANDING = '18446744073709551615';

/** The state valid at the moment: the least `valid_until` after it; on a tie the newest `computed_at`. */
const NEXT_END = 'valid_until, computed_at DESC';
const DAYS = 'shop_id = {shop:String} AND day BETWEEN {from:Date} AND {to:Date} AND valid_until > {asOf:UInt64}';
/** Orders and refunds are at most a day ahead of the clock, and a time zone at most another: what comes later was not there. */
const NOT_AHEAD = 'day <= toDate(intDiv({asOf:UInt64}, 1000000)) + 2';
/** The row that ends next may have begun later. */
const HAD_BEGUN = 'valid_from <= {asOf:UInt64}';

/** As `daily_orders AS d FINAL WHERE` of the range. */
export const DAILY_ORDERS_THEN = `(
  SELECT day, sums, estimable.payment_gateway, estimable.orders, estimable.revenue, uncosted_skus, spend.channel,
    spend.currency, spend.amount, valid_from
  FROM daily_orders_history
  WHERE ${DAYS} AND (part = 'spend' OR ${NOT_AHEAD})
  ORDER BY day, part, ${NEXT_END} LIMIT 1 BY day, part
) AS d WHERE d.${HAD_BEGUN}`;

/** Of the rows of a key that end after the moment: the values of the one that ends next, in the order of {@link NEXT_END}. */
export const stateThen = (values: string): string => `argMin((${values}), (valid_until, bitNot(computed_at)))`;
/** Likewise the first change after the moment. */
export const CHANGES_AT = 'min(if(valid_from > {asOf:UInt64}, valid_from, valid_until))';
