-- Best customers
-- Who brought the most profit, with all orders, refunds and costs of theirs.
SELECT customer_id, first_order_day, last_order_day, orders, revenue, refunds, profit
FROM bi.customers
ORDER BY profit DESC, customer_id
LIMIT 50
