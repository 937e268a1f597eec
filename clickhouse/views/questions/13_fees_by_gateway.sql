-- Payment fees by gateway
-- What each gateway takes of its revenue, and how much of that is estimated. Orders are joined by day and id, which is fast.
SELECT
    o.payment_gateway AS payment_gateway,
    p.fee_source AS fee_source,
    count() AS orders,
    sum(p.revenue) AS revenue,
    sum(p.gateway_fees) AS gateway_fees,
    round(toFloat64(sum(p.gateway_fees)) / nullIf(toFloat64(sum(p.revenue)), 0) * 100, 2) AS fee_percent
FROM bi.order_profit AS p
INNER JOIN bi.orders AS o ON o.placed_day = p.placed_day AND o.order_id = p.order_id
GROUP BY payment_gateway, fee_source
ORDER BY gateway_fees DESC, payment_gateway, fee_source
