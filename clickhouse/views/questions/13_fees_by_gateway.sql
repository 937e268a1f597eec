-- Payment fees by gateway
-- What each gateway takes of its revenue, and how much of that is estimated. Spellings of a gateway are one.
SELECT
    p.gateway AS gateway,
    p.fee_source AS fee_source,
    count() AS orders,
    sum(p.revenue) AS revenue,
    sum(p.gateway_fees) AS gateway_fees,
    round(toFloat64(sum(p.gateway_fees)) / nullIf(toFloat64(sum(p.revenue)), 0) * 100, 2) AS fee_percent
FROM bi.order_profit AS p
GROUP BY gateway, fee_source
ORDER BY gateway_fees DESC, gateway, fee_source
