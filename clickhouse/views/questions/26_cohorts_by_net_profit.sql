-- Cohorts by net profit
-- What customers have brought up to each month after their first order, less the ad spend of the month in which they came.
SELECT
    c.cohort_month AS cohort_month,
    c.months_later AS months_later,
    c.profit AS profit,
    sum(c.profit) OVER (PARTITION BY c.cohort_month ORDER BY c.months_later) AS profit_total,
    ifNull(a.ad_spend, 0) AS ad_spend,
    profit_total - ifNull(a.ad_spend, 0) AS net_profit
FROM
(
    SELECT
        o.cohort_month AS cohort_month,
        dateDiff('month', o.cohort_month, toStartOfMonth(p.placed_day)) AS months_later,
        sum(p.profit) AS profit
    FROM bi.order_profit AS p
    INNER JOIN bi.customers AS o ON p.customer_id = o.customer_id
    GROUP BY cohort_month, months_later
) AS c
LEFT JOIN
(
    SELECT toStartOfMonth(day) AS month, sum(d.ad_spend) AS ad_spend FROM bi.daily_metrics AS d GROUP BY month
) AS a ON c.cohort_month = a.month
ORDER BY cohort_month, months_later
