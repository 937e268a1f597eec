-- Coverage of costs
-- How far the profit of a month can be trusted: the share of orders with known costs, actual fees and tax.
SELECT
    toStartOfMonth(day) AS month,
    sum(d.orders) AS orders,
    round(sum(d.orders_costed) / nullIf(sum(d.orders), 0) * 100, 2) AS cogs_complete_percent,
    round(sum(d.orders_fee_actual) / nullIf(sum(d.orders), 0) * 100, 2) AS gateway_fee_actual_percent,
    round(sum(d.orders_tax_present) / nullIf(sum(d.orders), 0) * 100, 2) AS tax_present_percent
FROM bi.daily_metrics AS d
GROUP BY month
ORDER BY month
