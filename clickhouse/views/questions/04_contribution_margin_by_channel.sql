-- Contribution margin by channel
-- What each channel's orders leave after refunds, product costs and its ad spend, by last touch.
SELECT
    channel,
    sum(revenue) AS revenue,
    sum(refunds) AS refunds,
    sum(cogs) AS cogs,
    sum(ad_spend) AS ad_spend,
    revenue - refunds - cogs - ad_spend AS contribution
FROM
(
    SELECT channel, revenue, refunds, toDecimal256(0, 12) AS cogs, ad_spend
    FROM bi.daily_channels
    WHERE model = 'last_touch'
    UNION ALL
    SELECT a.channel, 0, 0, c.cogs, 0
    FROM
    (
        SELECT order_id, sum(amount) AS cogs
        FROM
        (
            SELECT order_id, ifNull(cost, toDecimal256(0, 12)) AS amount FROM bi.order_line_items WHERE counted
            UNION ALL
            SELECT order_id, -cost_credit FROM bi.refund_line_items
        )
        GROUP BY order_id
    ) AS c
    INNER JOIN (SELECT order_id, channel FROM bi.attribution WHERE model = 'last_touch') AS a ON a.order_id = c.order_id
)
GROUP BY channel
ORDER BY contribution DESC
