-- Profit by month
-- What was sold, what it cost and what was left. Ratios are computed from the sums of the month.
SELECT
    toStartOfMonth(day) AS month,
    sum(d.orders) AS orders,
    sum(d.revenue) AS revenue,
    sum(d.refunds) AS refunds,
    sum(d.cogs) AS cogs,
    sum(d.gateway_fees) AS gateway_fees,
    sum(d.ad_spend) AS ad_spend,
    sum(d.net_profit) AS net_profit,
    sum(d.net_profit_after_expenses) AS net_profit_after_expenses,
    round(toFloat64(sum(d.net_profit)) / nullIf(toFloat64(sum(d.net_revenue)), 0) * 100, 2) AS margin_percent
FROM bi.daily_metrics AS d
GROUP BY month
ORDER BY month
