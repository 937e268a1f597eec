-- Visits and orders by channel
-- How many visits a channel brought in the last 30 days, and the orders that were placed after them, by last touch.
SELECT
    v.channel AS channel,
    sum(v.visits) AS visits,
    sum(v.orders) AS orders,
    round(sum(v.orders) / nullIf(sum(v.visits), 0) * 100, 2) AS orders_per_100_visits
FROM
(
    SELECT channel, count() AS visits, 0 AS orders
    FROM bi.sessions
    WHERE day > (SELECT any(today) FROM bi.shop) - 30
    GROUP BY channel
    UNION ALL
    SELECT channel, 0, count()
    FROM bi.order_profit
    WHERE placed_day > (SELECT any(today) FROM bi.shop) - 30
    GROUP BY channel
) AS v
GROUP BY channel
ORDER BY orders DESC, visits DESC, channel
