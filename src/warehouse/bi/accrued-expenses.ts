import { RATE_AGE_DAYS } from '../../domain/costs/rates.js';

/** `parts_of(day)` for the WITH of a view: the parts of a day by which money that is spread over months, weeks and years stays exact. */
export const DAY_PARTS = `d -> toInt256(toDayOfMonth(toLastDayOfMonth(d))) * 7
        * dateDiff('day', toDate32(toStartOfYear(d)), addYears(toDate32(toStartOfYear(d)), 1)) AS parts_of`;

/**
 * For an ASOF join in a view, which finds the newest rate up to a day: `shop_id`, `currency`, `day`, `rate` and `until`, the last day on
 * which it holds. No rows where the source does not convert.
 */
export const COUNTING_RATES = `(
            SELECT
                q.shop_id AS shop_id, toString(q.currency) AS currency, q.day AS day, q.day + ${RATE_AGE_DAYS} AS until,
                q.rate AS rate
            FROM {database}.rates AS q {final}
            WHERE q.shop_currency
                = ifNull((SELECT if(count() = 0, '', any(if(convert_spend, currency, ''))) FROM {database}.sources {final}), '')
        )`;

/**
 * For the FROM of a view, what expenses come to by day: `shop_id`, `day`, `counts_as_ad_spend` and `accrued`, exact, in 10^-18 of the
 * money of the shop over {@link DAY_PARTS} of the day. One in another currency counts on days on which a rate holds.
 */
export const ACCRUED_EXPENSES = `(
            WITH
                x -> toInt256(toDecimal256(x, 6) * 1000000) AS micros,
                {day_parts},
                toInt256(100000000) AS e8,
                {local_day},
                (SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}) AS shop_currency,
                (
                    SELECT greatest(max(day), local_day(now('UTC')))
                    FROM {database}.daily_orders
                ) AS last_day
            SELECT
                a.shop_id AS shop_id,
                a.day AS day,
                a.counts_as_ad_spend AS counts_as_ad_spend,
                -- A percentage of money has 14 decimals and is never converted; else the last eight of them are zeros.
                if(
                    a.currency = shop_currency,
                    a.accrued * 10000,
                    intDiv(a.accrued, e8) * toInt256(toDecimal256(ifNull(r.rate, 0), 12) * 1000000000000)
                ) AS accrued
            FROM
            (
                -- By time: from the first day to the last, today at most. A one-time expense of a day to come waits for it.
                WITH toInt256(toDayOfMonth(toLastDayOfMonth(day))) AS month_days
                SELECT
                    t.shop_id AS shop_id,
                    toDate(arrayJoin(range(
                        toUInt32(t.started_on),
                        1 + toUInt32(if(t.frequency = 'one_time', t.started_on, least(ifNull(t.ended_on, last_day), last_day)))
                    ))) AS day,
                    t.counts_as_ad_spend AS counts_as_ad_spend,
                    toString(t.currency) AS currency,
                    micros(t.amount) * e8 * intDiv(parts_of(day), multiIf(
                        t.frequency = 'monthly', month_days,
                        t.frequency = 'weekly', toInt256(7),
                        t.frequency = 'yearly', intDiv(parts_of(day), month_days * 7),
                        toInt256(1)
                    )) AS accrued
                FROM {database}.expenses AS t {final}
                WHERE t.frequency IN ('monthly', 'weekly', 'yearly', 'one_time') AND t.started_on <= last_day
                UNION ALL
                -- By sales: on every day of the term that has any.
                SELECT
                    d.shop_id AS shop_id,
                    d.day AS day,
                    s.counts_as_ad_spend AS counts_as_ad_spend,
                    s.currency AS currency,
                    micros(s.amount) * parts_of(d.day)
                        * if(s.frequency = 'per_order', toInt256(d.sums['orders']) * e8, micros(d.sums['revenue'])) AS accrued
                FROM {database}.daily_orders AS d {final}
                INNER JOIN
                (
                    SELECT
                        shop_id, amount, toString(currency) AS currency, frequency, started_on, ended_on, counts_as_ad_spend
                    FROM {database}.expenses {final}
                    WHERE frequency = 'per_order' OR frequency = 'percent_of_revenue' AND currency = shop_currency
                ) AS s ON d.shop_id = s.shop_id
                WHERE d.day BETWEEN s.started_on AND ifNull(s.ended_on, d.day)
            ) AS a
            ASOF LEFT JOIN {counting_rates} AS r ON a.shop_id = r.shop_id AND a.currency = r.currency AND a.day >= r.day
            WHERE a.currency = shop_currency OR a.day <= r.until AND ifNull(r.rate, 0) > 0
        )`;
