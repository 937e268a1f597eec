-- The last four weeks and those before
-- The 28 days before today beside the 28 days before them, which have the same weekdays.
WITH (SELECT any(today) FROM bi.shop) AS today
SELECT
    if(d.day >= today - 28, 'last four weeks', 'the four before') AS weeks,
    sum(d.orders) AS orders,
    sum(d.revenue) AS revenue,
    sum(d.refunds) AS refunds,
    sum(d.ad_spend) AS ad_spend,
    sum(d.net_profit) AS net_profit,
    round(toFloat64(sum(d.revenue)) / nullIf(sum(d.orders), 0), 2) AS average_order_value
FROM bi.daily_metrics AS d
WHERE d.day >= today - 56 AND d.day < today
GROUP BY weeks
ORDER BY weeks
