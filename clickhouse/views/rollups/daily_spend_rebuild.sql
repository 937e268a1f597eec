-- The spend of a day by channel and currency, as part 'spend' of the day's figures. In one order, since the history compares them.
CREATE MATERIALIZED VIEW daily_spend_rebuild TO daily_orders AS
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    'spend' AS part,
    r.computed_at AS computed_at,
    r.computed_at AS read_at,
    t.accounts.1 AS `spend.channel`,
    t.accounts.2 AS `spend.currency`,
    t.accounts.3 AS `spend.amount`
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM spend_rollup_requests GROUP BY shop_id, day) AS r
LEFT JOIN
(
    SELECT
        b.shop_id AS shop_id,
        b.event_date AS day,
        arraySort(groupArray((b.channel, b.currency, b.amount))) AS accounts
    FROM
    (
        SELECT s.shop_id AS shop_id, s.event_date AS event_date, toString(s.channel) AS channel,
            toString(s.currency) AS currency, sumIf(s.spend, s.version >= c.version) AS amount
        FROM
        (
            SELECT a.shop_id AS shop_id, a.event_date AS event_date, a.channel AS channel, a.currency AS currency,
                a.spend AS spend, a.version AS version
            FROM ad_spend AS a FINAL
            WHERE (a.shop_id, a.event_date) IN (SELECT shop_id, day FROM spend_rollup_requests)
        ) AS s
        LEFT JOIN
        (
            SELECT k.shop_id AS shop_id, k.event_date AS event_date, k.channel AS channel, k.currency AS currency,
                max(k.version) AS version
            FROM ad_spend_clears AS k
            WHERE (k.shop_id, k.event_date) IN (SELECT shop_id, day FROM spend_rollup_requests)
            GROUP BY k.shop_id, k.event_date, k.channel, k.currency
        ) AS c
            ON s.shop_id = c.shop_id AND s.event_date = c.event_date AND s.channel = c.channel AND s.currency = c.currency
        GROUP BY s.shop_id, s.event_date, s.channel, s.currency
    ) AS b
    GROUP BY b.shop_id, b.event_date
) AS t
    ON t.shop_id = r.shop_id AND t.day = r.day;
