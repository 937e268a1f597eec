-- Profit by country
-- What the orders of each country brought, the worst first. NULL: orders that name none.
SELECT
    country,
    count() AS orders,
    sum(revenue) AS revenue,
    sum(refunds) AS refunds,
    sum(cogs) AS cogs,
    sum(gateway_fees) AS gateway_fees,
    sum(profit) AS profit
FROM bi.order_profit
GROUP BY country
ORDER BY profit, country
