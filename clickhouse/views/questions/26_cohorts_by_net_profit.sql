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
        p.cohort_month AS cohort_month,
        dateDiff('month', p.cohort_month, p.month) AS months_later,
        sum(p.profit) AS profit
    FROM
    (
        SELECT
            toStartOfMonth(placed_day) AS month,
            min(month) OVER (PARTITION BY customer_id) AS cohort_month,
            profit
        FROM bi.order_profit
        WHERE customer_id IS NOT NULL
    ) AS p
    GROUP BY cohort_month, months_later
) AS c
LEFT JOIN
(
    SELECT toStartOfMonth(day) AS month, sum(d.ad_spend) AS ad_spend FROM bi.daily_metrics AS d GROUP BY month
) AS a ON c.cohort_month = a.month
ORDER BY cohort_month, months_later
