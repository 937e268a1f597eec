-- From gross sales to earnings
-- The statement of each month, from what was sold at list prices to what is left after taxes and all costs.
SELECT
    toStartOfMonth(d.day) AS month,
    sum(d.gross_sales) AS gross_sales,
    sum(d.discounts) AS discounts,
    sum(d.shipping) AS shipping,
    sum(d.tips) AS tips,
    sum(d.duties) AS duties,
    sum(d.rounding_adjustment) AS rounding_adjustment,
    sum(d.tax_added) AS tax_added,
    sum(d.revenue) AS revenue,
    sum(d.refunds) AS refunds,
    sum(d.cogs) AS cogs,
    sum(d.gateway_fees) AS gateway_fees,
    sum(d.ad_spend) AS ad_spend,
    sum(d.taxes) AS taxes,
    sum(d.fulfillment_costs) AS fulfillment_costs,
    sum(d.operating_expenses) AS operating_expenses,
    sum(d.earnings) AS earnings
FROM bi.daily_metrics AS d
GROUP BY month
ORDER BY month
