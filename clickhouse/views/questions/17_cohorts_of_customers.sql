-- Cohorts of customers
-- What customers bring in the months after their first order, by the month of that order.
SELECT
    c.cohort_month AS cohort_month,
    dateDiff('month', c.cohort_month, c.month) AS months_later,
    uniqExact(c.customer_id) AS customers,
    count() AS orders,
    sum(c.revenue) AS revenue,
    sum(c.profit) AS profit
FROM
(
    SELECT
        p.customer_id AS customer_id,
        toStartOfMonth(p.placed_day) AS month,
        min(month) OVER (PARTITION BY p.customer_id) AS cohort_month,
        p.revenue AS revenue,
        p.profit AS profit
    FROM bi.order_profit AS p
    WHERE p.customer_id IS NOT NULL
) AS c
GROUP BY cohort_month, months_later
ORDER BY cohort_month, months_later
