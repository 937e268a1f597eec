-- Discounts by product
-- What the discounts of lines take of the sales of each article, and what it earned with them and would have earned without.
SELECT
    p.sku AS sku,
    sum(p.units_sold) AS units,
    sum(p.gross_sales) AS gross_sales,
    sum(p.discounts) AS discounts,
    round(toFloat64(sum(p.discounts)) / nullIf(toFloat64(sum(p.gross_sales)), 0) * 100, 2) AS discount_percent,
    sum(p.revenue) - sum(p.refunds) - sum(p.cogs) AS gross_profit,
    gross_profit + discounts AS gross_profit_without_discounts
FROM bi.daily_products AS p
GROUP BY sku
HAVING discounts > 0
ORDER BY discounts DESC, sku
LIMIT 50
