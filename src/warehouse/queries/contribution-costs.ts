import { partNumber, type ContributionFilter } from '../../domain/metrics/contributions.js';
import type { Signs } from '../../domain/metrics/figure-list.js';
import { select } from './contribution-columns.js';
import { countedSpend, hasWorth, isOwn, joinRate, worthOfSpend } from './counted-spend.js';

/** With what an entry says of its rate: nothing in the currency of the shop. */
const withRate = (facts: string, converts: boolean, row: string): string =>
  converts
    ? `arrayConcat([${facts}], if(${isOwn(row)}, [], [${row}.currency, toString(r.held.1), toString(r.held.2)]))`
    : `[${facts}]`;

/** Rows of spend that no later clear of their day outdates, in other currencies too where the shop converts and they have a rate. */
export function spend({ channel }: ContributionFilter, converts: boolean): string {
  const ids = '(s.campaign_id, s.adset_id, s.ad_id)';
  return select(
    {
      part: partNumber('spend'),
      day: 's.event_date',
      id: 'toString(s.channel)',
      sub: converts
        ? `lower(hex(MD5(if(${isOwn('s')}, toString(${ids}), toString((s.currency, s.campaign_id, s.adset_id, s.ad_id))))))`
        : `lower(hex(MD5(toString(${ids}))))`,
      size: worthOfSpend(converts),
      facts: withRate('s.campaign_id, s.adset_id, s.ad_id', converts, 's'),
    },
    countedSpend(
      ['campaign_id', 'adset_id', 'ad_id'],
      converts,
      channel === undefined ? '' : ' AND (a.channel = {channel:String} OR a.order_channel = {channel:String})',
    ),
  );
}

/** Of a rate, and of an amount in the currency of the shop: in units of the twelfth decimal. */
const RATE_UNITS = "toInt256('1000000000000')";

/** An entry a day: what the expense accrues on it, rounded; of a day's share no exact decimal exists. */
export function expenses(signs: Signs, converts: boolean): string {
  const only =
    signs.ad_expense === undefined
      ? ' AND NOT e.counts_as_ad_spend'
      : signs.other_expense === undefined
        ? ' AND e.counts_as_ad_spend'
        : '';
  const units = converts
    ? `if(${isOwn('x')}, ${RATE_UNITS}, toInt256(r.held.2 * toDecimal256(1000000000000, 0)))`
    : RATE_UNITS;
  const share = (length: string): string => {
    const divisor = `(${length} * ${RATE_UNITS})`;
    return `toDecimal256(intDiv(2 * toInt256(x.amount * 1000000) * ${units} + ${divisor}, 2 * ${divisor}), 8) * toDecimal256('0.000001', 6)`;
  };
  const year = `toInt256(dateDiff('day', toStartOfYear(x.day), addYears(toStartOfYear(x.day), 1)))`;
  const worth = converts ? `if(${isOwn('x')}, toDecimal256(1, 12), toDecimal256(r.held.2, 12))` : 'toDecimal256(1, 12)';
  return select(
    {
      part: `if(x.is_ad_spend, ${partNumber('ad_expense')}, ${partNumber('other_expense')})`,
      day: 'x.day',
      id: 'x.expense_id',
      size: `multiIf(
        x.frequency = 'monthly', ${share('toInt256(toDayOfMonth(toLastDayOfMonth(x.day)))')},
        x.frequency = 'weekly', ${share('toInt256(7)')},
        x.frequency = 'yearly', ${share(year)},
        x.frequency = 'per_order', toDecimal256(x.amount, 6) * ${worth} * v.orders,
        x.frequency = 'percent_of_revenue', toDecimal256(x.amount, 6) * toDecimal256(v.revenue, 6) * toDecimal256('0.01', 2),
        toDecimal256(x.amount, 6) * ${worth})`,
      facts: withRate("ifNull(x.external_id, ''), x.name, x.frequency, toString(x.amount)", converts, 'x'),
    },
    `(
      SELECT e.expense_id AS expense_id, e.external_id AS external_id, e.name AS name, e.amount AS amount,
        e.counts_as_ad_spend AS is_ad_spend, toString(e.frequency) AS frequency, toString(e.currency) AS currency,
        toDate(arrayJoin(range(
          toUInt32(greatest(e.started_on, {first:Date})),
          toUInt32(least(if(frequency = 'one_time', e.started_on, ifNull(e.ended_on, {last:Date})), {last:Date})) + 1
        ))) AS day
      FROM expenses AS e FINAL
      WHERE e.shop_id = {shop:String} AND (${isOwn('e')}${
        converts ? " OR e.frequency != 'percent_of_revenue'" : ''
      }) AND e.amount != 0${only} AND e.started_on <= {last:Date}
    ) AS x
    LEFT JOIN (
      SELECT r.day AS day, toUInt64(sum(r.sums['orders'])) AS orders, toDecimal128(sum(r.sums['revenue']), 6) AS revenue
      FROM daily_orders AS r FINAL
      WHERE r.shop_id = {shop:String} AND r.day BETWEEN {first:Date} AND {last:Date}
      GROUP BY r.day
    ) AS v ON x.day = v.day
    ${converts ? joinRate('x', 'day') : ''}
    WHERE (x.frequency NOT IN ('per_order', 'percent_of_revenue') OR v.orders != 0)${
      converts ? ` AND ${hasWorth('x')}` : ''
    }`,
  );
}
