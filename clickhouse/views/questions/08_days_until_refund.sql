-- Days until the refund
-- How long after the order the money goes back, by weeks.
SELECT
    intDiv(dateDiff('day', placed_day, refunded_day), 7) AS weeks_after_order,
    count() AS refunds,
    sum(total) AS refunded
FROM bi.order_refunds
GROUP BY weeks_after_order
ORDER BY weeks_after_order
