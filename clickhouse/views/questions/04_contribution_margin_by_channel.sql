-- Contribution margin by channel
-- What each channel's orders leave after refunds, product costs, payment fees and its ad spend, by last touch.
SELECT
    c.channel AS channel,
    sum(c.revenue) AS revenue,
    sum(c.refunds) AS refunds,
    sum(c.cogs) AS cogs,
    sum(c.gateway_fees) AS gateway_fees,
    sum(c.ad_spend) AS ad_spend,
    sum(c.profit) - sum(c.ad_spend) AS contribution
FROM
(
    SELECT channel, revenue, refunds, cogs, gateway_fees, profit, toDecimal128(0, 6) AS ad_spend FROM bi.order_profit
    UNION ALL
    SELECT channel, 0, 0, 0, 0, 0, ad_spend FROM bi.daily_channels WHERE model = 'last_touch' AND ad_spend != 0
) AS c
GROUP BY channel
ORDER BY contribution DESC, channel
