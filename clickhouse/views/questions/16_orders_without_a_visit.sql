-- Orders that no visit explains
-- Why orders are unattributed, by month and cause. With the channels that is all orders.
SELECT
    toStartOfMonth(l.day) AS month,
    l.cause AS cause,
    sum(l.orders) AS orders,
    sum(l.revenue) AS revenue
FROM bi.losses AS l
GROUP BY month, cause
ORDER BY month, orders DESC, cause
