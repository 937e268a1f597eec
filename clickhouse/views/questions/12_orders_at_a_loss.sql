-- Orders at a loss
-- Orders that cost more than they brought, the worst first.
SELECT placed_day, order_id, channel, revenue, refunds, cogs, gateway_fees, profit
FROM bi.order_profit
WHERE profit < 0
ORDER BY profit, order_id
LIMIT 100
