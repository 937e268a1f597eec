-- Advertising by channel
-- Spend, credited revenue and return on ad spend by channel and month, by last touch.
SELECT
    toStartOfMonth(day) AS month,
    channel,
    sum(d.orders) AS orders,
    sum(d.revenue) AS revenue,
    sum(d.ad_spend) AS ad_spend,
    round(toFloat64(revenue) / nullIf(toFloat64(ad_spend), 0), 4) AS roas
FROM bi.daily_channels AS d
WHERE d.model = 'last_touch'
GROUP BY month, channel
ORDER BY month, ad_spend DESC, channel
