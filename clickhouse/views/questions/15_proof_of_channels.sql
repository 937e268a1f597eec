-- What channels can prove
-- The part of each channel's revenue that rests on proved visits: a click id of an ad, or a known search engine.
SELECT
    d.channel AS channel,
    sum(d.orders) AS orders,
    sum(d.proved_orders) AS proved_orders,
    sum(d.revenue) AS revenue,
    sum(d.proved_revenue) AS proved_revenue,
    round(toFloat64(sum(d.proved_revenue)) / nullIf(toFloat64(sum(d.revenue)), 0) * 100, 2) AS proved_percent
FROM bi.daily_channels AS d
WHERE d.model = 'last_touch'
GROUP BY channel
HAVING orders > 0
ORDER BY revenue DESC, channel
