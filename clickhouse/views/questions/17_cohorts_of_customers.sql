-- Cohorts of customers
-- What customers bring in the months after their first order, by the month of that order.
SELECT
    c.cohort_month AS cohort_month,
    dateDiff('month', c.cohort_month, toStartOfMonth(p.placed_day)) AS months_later,
    uniqExact(c.customer_id) AS customers,
    count() AS orders,
    sum(p.revenue) AS revenue,
    sum(p.profit) AS profit
FROM bi.order_profit AS p
INNER JOIN bi.customers AS c ON p.customer_id = c.customer_id
GROUP BY cohort_month, months_later
ORDER BY cohort_month, months_later
