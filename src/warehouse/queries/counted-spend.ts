import { plain } from './contribution-columns.js';
import { HELD_ON_DAYS } from './rates.js';

/** Whether an amount is in the currency of the shop. */
export const isOwn = (row: string): string => `${row}.currency = {currency:String}`;

/** Joins the rate that holds on a day of a row as `r`. */
export const joinRate = (row: string, day: string): string =>
  `LEFT JOIN ${HELD_ON_DAYS} AS r ON r.currency = ${row}.currency AND r.on_day = ${row}.${day}`;

/** Whether an amount counts: it is in the currency of the shop, or a rate holds, whose value is above 0. */
export const hasWorth = (row: string): string => `(${isOwn(row)} OR r.held.2 > 0)`;

/** What a row of {@link countedSpend} counts, exactly. */
export const worthOfSpend = (converts: boolean): string =>
  converts ? `if(${isOwn('s')}, ${plain('s.spend')}, toDecimal256(s.spend, 6) * r.held.2)` : plain('s.spend');

/**
 * Spend `s` of the days `first` to `last` in `currency` that no later clear of its day outdates, after `FROM`: its day, label, currency, version
 * and these columns. Where the shop converts, also that in other currencies that has a rate, `r`.
 */
export const countedSpend = (columns: readonly string[], converts: boolean, more = ''): string => `(
      SELECT a.event_date AS event_date, a.channel AS channel, toString(a.currency) AS currency, a.spend AS spend, a.version AS version,
        ${columns.map((name) => `a.${name} AS ${name}`).join(', ')}
      FROM ad_spend AS a FINAL
      WHERE a.shop_id = {shop:String} AND a.event_date BETWEEN {first:Date} AND {last:Date}
        ${converts ? '' : `AND ${isOwn('a')}`}${more}
    ) AS s
    LEFT JOIN (
      SELECT k.event_date AS event_date, k.channel AS channel, toString(k.currency) AS currency, max(k.version) AS version
      FROM ad_spend_clears AS k
      WHERE k.shop_id = {shop:String} AND k.event_date BETWEEN {first:Date} AND {last:Date} ${converts ? '' : `AND ${isOwn('k')}`}
      GROUP BY k.event_date, k.channel, k.currency
    ) AS c ON s.event_date = c.event_date AND s.channel = c.channel AND s.currency = c.currency
    ${converts ? joinRate('s', 'event_date') : ''}
    WHERE s.spend != 0 AND s.version >= c.version ${converts ? `AND ${hasWorth('s')}` : ''}`;
