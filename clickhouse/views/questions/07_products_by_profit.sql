-- Products by gross profit
-- The articles that earn most, after discounts of the line and product costs.
SELECT
    sku,
    any(title) AS title,
    sum(i.quantity) AS units,
    sum(i.amount) AS revenue,
    sum(i.cost) AS cost,
    revenue - cost AS gross_profit
FROM bi.order_line_items AS i
WHERE i.counted AND i.cost IS NOT NULL
GROUP BY sku
ORDER BY gross_profit DESC, sku
LIMIT 50
