-- New and returning customers
-- Orders and revenue by month, of first orders, later orders and orders without a customer.
SELECT
    toStartOfMonth(placed_day) AS month,
    multiIf(customer_id IS NULL, 'unknown', is_first_order, 'new', 'returning') AS customer,
    count() AS orders,
    uniqExact(customer_id) AS customers,
    sum(revenue) AS revenue
FROM bi.customer_orders
GROUP BY month, customer
ORDER BY month, customer
