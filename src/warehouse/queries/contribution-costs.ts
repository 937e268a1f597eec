import { partNumber, type ContributionFilter } from '../../domain/metrics/contributions.js';
import type { Signs } from '../../domain/metrics/figure-list.js';
import { plain, select } from './contribution-columns.js';
import { countedSpend } from './counted-spend.js';

/** Rows of spend that no later clear of their day outdates. */
export function spend({ channel }: ContributionFilter): string {
  return select(
    {
      part: partNumber('spend'),
      day: 's.event_date',
      id: 'toString(s.channel)',
      sub: 'lower(hex(MD5(toString((s.campaign_id, s.adset_id, s.ad_id)))))',
      size: plain('s.spend'),
      facts: '[s.campaign_id, s.adset_id, s.ad_id]',
    },
    countedSpend(
      ['campaign_id', 'adset_id', 'ad_id'],
      channel === undefined ? '' : ' AND (a.channel = {channel:String} OR a.order_channel = {channel:String})',
    ),
  );
}

/** An entry a day: what the expense accrues on it, rounded; of a day's share no exact decimal exists. */
export function expenses(signs: Signs): string {
  const only =
    signs.ad_expense === undefined
      ? ' AND NOT e.counts_as_ad_spend'
      : signs.other_expense === undefined
        ? ' AND e.counts_as_ad_spend'
        : '';
  const share = (length: string): string =>
    `toDecimal256(intDiv(2 * toInt256(x.amount * 1000000) + ${length}, 2 * ${length}), 8) * toDecimal256('0.000001', 6)`;
  const year = `toInt256(dateDiff('day', toStartOfYear(x.day), addYears(toStartOfYear(x.day), 1)))`;
  return select(
    {
      part: `if(x.is_ad_spend, ${partNumber('ad_expense')}, ${partNumber('other_expense')})`,
      day: 'x.day',
      id: 'x.expense_id',
      size: `multiIf(
        x.frequency = 'monthly', ${share('toInt256(toDayOfMonth(toLastDayOfMonth(x.day)))')},
        x.frequency = 'weekly', ${share('toInt256(7)')},
        x.frequency = 'yearly', ${share(year)},
        x.frequency = 'per_order', ${plain('x.amount')} * v.orders,
        x.frequency = 'percent_of_revenue', toDecimal256(x.amount, 6) * toDecimal256(v.revenue, 6) * toDecimal256('0.01', 2),
        ${plain('x.amount')})`,
      facts: `[ifNull(x.external_id, ''), x.name, x.frequency, toString(x.amount)]`,
    },
    `(
      SELECT e.expense_id AS expense_id, e.external_id AS external_id, e.name AS name, e.amount AS amount,
        e.counts_as_ad_spend AS is_ad_spend, toString(e.frequency) AS frequency,
        toDate(arrayJoin(range(
          toUInt32(greatest(e.started_on, {first:Date})),
          toUInt32(least(if(frequency = 'one_time', e.started_on, ifNull(e.ended_on, {last:Date})), {last:Date})) + 1
        ))) AS day
      FROM expenses AS e FINAL
      WHERE e.shop_id = {shop:String} AND e.currency = {currency:String} AND e.amount != 0${only}
        AND e.started_on <= {last:Date}
    ) AS x
    LEFT JOIN (
      SELECT r.day AS day, toUInt64(sum(r.sums['orders'])) AS orders, toDecimal128(sum(r.sums['revenue']), 6) AS revenue
      FROM daily_orders AS r FINAL
      WHERE r.shop_id = {shop:String} AND r.day BETWEEN {first:Date} AND {last:Date}
      GROUP BY r.day
    ) AS v ON x.day = v.day
    WHERE x.frequency NOT IN ('per_order', 'percent_of_revenue') OR v.orders != 0`,
  );
}
