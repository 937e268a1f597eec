-- A day without a row of the first step gets an explicit row of zeros.
CREATE MATERIALIZED VIEW daily_figures_rebuild TO daily_orders AS
SELECT
    k.shop_id AS shop_id,
    k.day AS day,
    k.computed_at AS computed_at,
    mapSort(mapFilter((name, amount) -> amount != 0, mapConcat(p.sums, CAST(map(
        'cogs', k.cogs,
        'orders_costed', p.sums['orders'] - u.orders,
        'revenue_uncosted', u.revenue
    ), 'Map(LowCardinality(String), Decimal(76, 12))')))) AS sums,
    p.gateways AS `estimable.payment_gateway`,
    p.gateways_orders AS `estimable.orders`,
    p.gateways_revenue AS `estimable.revenue`,
    arraySort(k.unknown) AS uncosted_skus
FROM costed_days AS k
LEFT JOIN
(
    SELECT
        d.shop_id AS shop_id,
        d.day AS day,
        d.sums AS sums,
        d.estimable.payment_gateway AS gateways,
        d.estimable.orders AS gateways_orders,
        d.estimable.revenue AS gateways_revenue
    FROM daily_products AS d FINAL
    WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM costed_days)
) AS p ON k.shop_id = p.shop_id AND k.day = p.day
LEFT JOIN
(
    SELECT b.shop_id AS shop_id, b.day AS day, count() AS orders, sum(b.revenue) AS revenue
    FROM
    (
        -- An order once, however many of its lines lack a cost.
        SELECT d.shop_id AS shop_id, d.day AS day, number, any(basket_revenue) AS revenue
        FROM daily_products AS d FINAL
        ARRAY JOIN d.baskets.skus AS skus, d.baskets.revenue AS basket_revenue, arrayEnumerate(d.baskets.skus) AS number
        ARRAY JOIN skus AS sku
        WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM costed_days WHERE notEmpty(unknown))
            AND (d.shop_id, d.day, sku) IN (SELECT shop_id, day, arrayJoin(unknown) FROM costed_days)
        GROUP BY d.shop_id, d.day, number
    ) AS b
    GROUP BY b.shop_id, b.day
) AS u ON k.shop_id = u.shop_id AND k.day = u.day;
