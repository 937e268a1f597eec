-- Orders without cost
-- SKUs whose unit cost is unknown, with the revenue that counts as profit because of it.
SELECT
    sku,
    uniqExact(order_id) AS orders,
    sum(quantity) AS units,
    sum(amount) AS revenue_without_cost
FROM bi.order_line_items
WHERE counted AND unit_cost_from = 'unknown'
GROUP BY sku
ORDER BY revenue_without_cost DESC, sku
LIMIT 100
