-- Products by gross profit
-- The articles that earn most, after their discounts, refunds and costs. Units without a known cost make it too high.
SELECT
    p.sku AS sku,
    argMaxIf(p.title, p.day, p.title IS NOT NULL) AS title,
    sum(p.units_sold) AS units,
    sum(p.revenue) AS revenue,
    sum(p.refunds) AS refunds,
    sum(p.cogs) AS cogs,
    sum(p.revenue) - sum(p.refunds) - sum(p.cogs) AS gross_profit,
    sum(p.units_without_cost) AS units_without_cost
FROM bi.daily_products AS p
GROUP BY sku
ORDER BY gross_profit DESC, sku
LIMIT 50
