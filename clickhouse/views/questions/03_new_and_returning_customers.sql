-- New and returning customers
-- Orders and revenue by month, of first orders, later orders and orders without a customer.
SELECT
    toStartOfMonth(p.placed_day) AS month,
    multiIf(
        p.customer_id IS NULL, 'unknown',
        p.order_id IN (
            SELECT argMin(f.order_id, (f.placed_at, f.order_id)) FROM bi.order_profit AS f WHERE f.customer_id IS NOT NULL GROUP BY f.customer_id
        ), 'new',
        'returning'
    ) AS customer,
    count() AS orders,
    uniqExact(p.customer_id) AS customers,
    sum(p.revenue) AS revenue
FROM bi.order_profit AS p
GROUP BY month, customer
ORDER BY month, customer
