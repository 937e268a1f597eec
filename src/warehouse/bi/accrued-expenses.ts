/** `parts_of(day)` for the WITH of a view: the parts of a day by which money that is spread over months, weeks and years stays exact. */
export const DAY_PARTS = `d -> toInt256(toDayOfMonth(toLastDayOfMonth(d))) * 7
        * dateDiff('day', toDate32(toStartOfYear(d)), addYears(toDate32(toStartOfYear(d)), 1)) AS parts_of`;

/**
 * For the FROM of a view, what expenses come to by day: `shop_id`, `day`, `counts_as_ad_spend` and `accrued`, exact, in 10^-14 of money
 * over {@link DAY_PARTS} of the day. Expenses in another currency than the shop's have none.
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
            SELECT a.shop_id AS shop_id, a.day AS day, a.counts_as_ad_spend AS counts_as_ad_spend, a.accrued AS accrued
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
                    micros(t.amount) * e8 * intDiv(parts_of(day), multiIf(
                        t.frequency = 'monthly', month_days,
                        t.frequency = 'weekly', toInt256(7),
                        t.frequency = 'yearly', intDiv(parts_of(day), month_days * 7),
                        toInt256(1)
                    )) AS accrued
                FROM {database}.expenses AS t {final}
                WHERE t.currency = shop_currency AND t.frequency IN ('monthly', 'weekly', 'yearly', 'one_time')
                    AND t.started_on <= last_day
                UNION ALL
                -- By sales: on every day of the term that has any.
                SELECT
                    d.shop_id AS shop_id,
                    d.day AS day,
                    s.counts_as_ad_spend AS counts_as_ad_spend,
                    micros(s.amount) * parts_of(d.day)
                        * if(s.frequency = 'per_order', toInt256(d.sums['orders']) * e8, micros(d.sums['revenue'])) AS accrued
                FROM {database}.daily_orders AS d {final}
                INNER JOIN
                (
                    SELECT shop_id, amount, frequency, started_on, ended_on, counts_as_ad_spend
                    FROM {database}.expenses {final}
                    WHERE currency = shop_currency AND frequency IN ('per_order', 'percent_of_revenue')
                ) AS s ON d.shop_id = s.shop_id
                WHERE d.day BETWEEN s.started_on AND ifNull(s.ended_on, d.day)
            ) AS a
        )`;
