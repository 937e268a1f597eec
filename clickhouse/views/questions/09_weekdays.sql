-- Weekdays
-- Orders, revenue and order value by day of the week, 1 is Monday.
SELECT
    toDayOfWeek(day) AS weekday,
    countIf(d.orders > 0) AS days_with_orders,
    sum(d.orders) AS orders,
    sum(d.revenue) AS revenue,
    sum(d.net_profit) AS net_profit,
    round(toFloat64(revenue) / nullIf(orders, 0), 2) AS average_order_value
FROM bi.daily_metrics AS d
GROUP BY weekday
ORDER BY weekday
