-- What a new customer costs
-- Ad spend of each month by the customers whose first order lies in it. Orders without a customer count for none.
SELECT
    n.month AS month,
    sum(n.customers) AS new_customers,
    sum(n.ad_spend) AS ad_spend,
    round(toFloat64(sum(n.ad_spend)) / nullIf(sum(n.customers), 0), 2) AS cost_of_a_new_customer
FROM
(
    SELECT cohort_month AS month, count() AS customers, toDecimal128(0, 6) AS ad_spend FROM bi.customers GROUP BY month
    UNION ALL
    SELECT toStartOfMonth(day), 0, sum(d.ad_spend) FROM bi.daily_metrics AS d GROUP BY 1
) AS n
GROUP BY month
ORDER BY month
