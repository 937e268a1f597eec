-- New and returning customers
-- Orders and revenue by month, of first orders, later orders and orders without a customer.
SELECT
    toStartOfMonth(placed_day) AS month,
    multiIf(customer_id IS NULL, 'unknown', number = 1, 'new', 'returning') AS customer,
    count() AS orders,
    uniqExact(customer_id) AS customers,
    sum(total) AS revenue
FROM
(
    SELECT
        placed_day,
        customer_id,
        total,
        row_number() OVER (PARTITION BY customer_id ORDER BY placed_at, order_id) AS number
    FROM bi.orders
    WHERE counted
)
GROUP BY month, customer
ORDER BY month, customer
