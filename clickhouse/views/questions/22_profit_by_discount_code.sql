-- Profit by discount code
-- What the orders with each code brought, the worst first. An order with two codes is in both rows. NULL: orders without a code.
SELECT
    arrayJoin(if(empty(discount_codes), [NULL], arrayMap(c -> toNullable(lowerUTF8(c)), discount_codes))) AS code,
    count() AS orders,
    sum(revenue) AS revenue,
    sum(refunds) AS refunds,
    sum(cogs) AS cogs,
    sum(gateway_fees) AS gateway_fees,
    sum(profit) AS profit
FROM bi.order_profit
GROUP BY code
ORDER BY profit, code
