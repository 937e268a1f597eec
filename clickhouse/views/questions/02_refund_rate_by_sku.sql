-- Refund rate by SKU
-- Which articles come back: units returned against units sold, those with the most units returned first.
SELECT
    sold.sku AS sku,
    sold.units AS units_sold,
    returned.units AS units_returned,
    round(toFloat64(returned.units) / toFloat64(sold.units) * 100, 2) AS refund_rate_percent
FROM (SELECT sku, sum(quantity) AS units FROM bi.order_line_items WHERE counted AND sku IS NOT NULL GROUP BY sku) AS sold
INNER JOIN (SELECT sku, sum(quantity) AS units FROM bi.refund_line_items GROUP BY sku) AS returned ON sold.sku = returned.sku
WHERE sold.units > 0
ORDER BY units_returned DESC, sku
LIMIT 50
