CREATE MATERIALIZED VIEW costed_days_feed TO costed_days AS
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    r.computed_at AS computed_at,
    c.cogs AS cogs,
    c.unknown AS unknown,
    c.catalog.1 AS `catalog.sku`,
    c.catalog.2 AS `catalog.cost_day`,
    c.catalog.3 AS `catalog.unit_cost`
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM figure_requests GROUP BY shop_id, day) AS r
LEFT JOIN
(
    SELECT
        e.shop_id AS shop_id,
        e.day AS day,
        sum(
            toDecimal256(e.units_sold - e.units_restocked, 6)
                * toDecimal256(ifNull(coalesce(e.unit_cost, k.unit_cost), toDecimal128(0, 6)), 6)
        ) AS cogs,
        groupUniqArrayIf(e.sku, e.lines_sold > 0 AND e.unit_cost IS NULL AND k.unit_cost IS NULL) AS unknown,
        groupUniqArrayIf((e.sku, e.cost_day, assumeNotNull(k.unit_cost)), e.unit_cost IS NULL AND k.unit_cost IS NOT NULL) AS catalog
    FROM
    (
        SELECT
            d.shop_id AS shop_id,
            d.day AS day,
            entry_sku AS sku,
            entry_cost_day AS cost_day,
            entry_unit_cost AS unit_cost,
            entry_lines_sold AS lines_sold,
            entry_units_sold AS units_sold,
            entry_units_restocked AS units_restocked
        FROM daily_products AS d FINAL
        ARRAY JOIN
            d.products.sku AS entry_sku,
            d.products.cost_day AS entry_cost_day,
            d.products.unit_cost AS entry_unit_cost,
            d.products.lines_sold AS entry_lines_sold,
            d.products.units_sold AS entry_units_sold,
            d.products.units_restocked AS entry_units_restocked
        WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM figure_requests)
    ) AS e
    ASOF LEFT JOIN
    (
        SELECT c.shop_id AS shop_id, c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost
        FROM product_costs AS c FINAL
        -- Only what these days need: the price of a rebuild must not grow with the catalog. Without FINAL the set is at most
        -- too large, and cheap.
        WHERE c.shop_id IN (SELECT shop_id FROM figure_requests) AND (c.shop_id, c.sku) IN
        (
            SELECT d.shop_id, arrayJoin(arrayFilter((sku, cost) -> cost IS NULL, d.products.sku, d.products.unit_cost))
            FROM daily_products AS d
            WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM figure_requests)
        )
    ) AS k ON e.shop_id = k.shop_id AND e.sku = k.sku AND e.cost_day >= k.since
    GROUP BY e.shop_id, e.day
) AS c ON r.shop_id = c.shop_id AND r.day = c.day;
