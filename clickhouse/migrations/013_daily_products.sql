-- What a shop sold of each SKU on a day, and what came back. Natural key (shop_id, day), version computed_at: a day is
-- replaced as a whole, so a SKU that left it is gone, and a day that lost its last order has an empty row. Ordered by day,
-- because readers ask for ranges of days; small granules, since a row holds all articles of its day. Nothing of the catalog
-- stands in it: units without a unit cost of their own are priced when they are read, by the catalog of their cost day.
-- Entries add up: over the days, and on a cluster over the shards, each of which holds its share of a day.
CREATE TABLE IF NOT EXISTS daily_products {on_cluster}
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken before the rebuild reads',
    products    Nested
    (
        -- Empty: lines without one.
        sku             String,
        -- Day of the order, whose catalog applies, for what comes back too.
        cost_day        Date,
        -- What the lines say; null: nothing.
        unit_cost       Nullable(Decimal(38, 6)),
        -- The newest of the lines sold; empty: none.
        title           String,
        lines_sold      UInt64,
        units_sold      Decimal(38, 6),
        -- Of lines that refunds name, and those of them that went back on sale.
        units_returned  Decimal(38, 6),
        units_restocked Decimal(38, 6),
        -- Lines sold after their discounts, and lines that refunds name at their unit price.
        revenue         Decimal(76, 12),
        refunds         Decimal(76, 12)
    ) COMMENT 'an entry a SKU, cost day and unit cost, sales and returns apart'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day)
SETTINGS index_granularity = 64;

-- Prices stand in `orders`, which has one row an order, on its placed day; what refunds name in `order_days`. The age of a
-- title is one number: 675,000 lines are grouped in 255 ms of CPU with it, and in 550 ms with a tuple of time and version.
CREATE MATERIALIZED VIEW IF NOT EXISTS daily_products_rebuild {on_cluster} TO daily_products AS
WITH entries AS
    (
        SELECT
            o.shop_id AS shop_id,
            o.placed_day AS day,
            line_sku AS sku,
            o.placed_day AS cost_day,
            line_cost AS unit_cost,
            argMaxIf(line_title, o.version, line_title != '') AS title,
            count() AS lines_sold,
            sum(line_quantity) AS units_sold,
            toDecimal128(0, 6) AS units_returned,
            toDecimal128(0, 6) AS units_restocked,
            sum(toDecimal256(line_quantity, 6) * toDecimal256(line_price, 6) - toDecimal256(line_discount, 12)) AS revenue,
            toDecimal256(0, 12) AS refunds
        FROM orders AS o FINAL
        ARRAY JOIN
            o.line_items.sku AS line_sku,
            o.line_items.unit_cost AS line_cost,
            o.line_items.title AS line_title,
            o.line_items.quantity AS line_quantity,
            o.line_items.unit_price AS line_price,
            o.line_items.line_discount AS line_discount
        WHERE (o.shop_id, o.placed_day) IN (SELECT shop_id, day FROM rollup_requests)
            AND o.status = 'paid' AND NOT o.is_test
        GROUP BY o.shop_id, o.placed_day, line_sku, line_cost
        UNION ALL
        SELECT
            d.shop_id AS shop_id,
            d.day AS day,
            line_sku AS sku,
            d.placed_day AS cost_day,
            line_cost AS unit_cost,
            '' AS title,
            toUInt64(0) AS lines_sold,
            toDecimal128(0, 6) AS units_sold,
            sum(line_quantity) AS units_returned,
            sumIf(line_quantity, line_restock) AS units_restocked,
            toDecimal256(0, 12) AS revenue,
            sum(toDecimal256(line_quantity, 6) * toDecimal256(line_price, 6)) AS refunds
        FROM order_days AS d FINAL
        ARRAY JOIN
            d.refund_lines.sku AS line_sku,
            d.refund_lines.unit_cost AS line_cost,
            d.refund_lines.quantity AS line_quantity,
            d.refund_lines.restock AS line_restock,
            d.refund_lines.unit_price AS line_price
        WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM rollup_requests)
        GROUP BY d.shop_id, d.day, line_sku, d.placed_day, line_cost
    )
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    r.computed_at AS computed_at,
    p.sku AS `products.sku`,
    p.cost_day AS `products.cost_day`,
    p.unit_cost AS `products.unit_cost`,
    p.title AS `products.title`,
    p.lines_sold AS `products.lines_sold`,
    p.units_sold AS `products.units_sold`,
    p.units_returned AS `products.units_returned`,
    p.units_restocked AS `products.units_restocked`,
    p.revenue AS `products.revenue`,
    p.refunds AS `products.refunds`
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM rollup_requests GROUP BY shop_id, day) AS r
LEFT JOIN
(
    SELECT
        e.shop_id AS shop_id,
        e.day AS day,
        groupArray(e.sku) AS sku,
        groupArray(e.cost_day) AS cost_day,
        -- As a tuple, since groupArray leaves nulls out.
        arrayMap(t -> t.1, groupArray(tuple(e.unit_cost))) AS unit_cost,
        groupArray(e.title) AS title,
        groupArray(e.lines_sold) AS lines_sold,
        groupArray(e.units_sold) AS units_sold,
        groupArray(e.units_returned) AS units_returned,
        groupArray(e.units_restocked) AS units_restocked,
        groupArray(e.revenue) AS revenue,
        groupArray(e.refunds) AS refunds
    FROM entries AS e
    GROUP BY e.shop_id, e.day
) AS p ON r.shop_id = p.shop_id AND r.day = p.day;

-- Days of before get their row. One micro-second after the rebuild that stands: any rebuild that runs meanwhile began
-- later and wins. In small blocks, because each is a rebuild whose memory grows with its days.
INSERT INTO rollup_requests
SELECT k.shop_id AS shop_id, k.day AS day, max(k.computed_at) + 1 AS computed_at
FROM daily_orders AS k
WHERE k.part = 'orders'
GROUP BY k.shop_id, k.day
SETTINGS max_block_size = 200, min_insert_block_size_rows = 200, min_insert_block_size_bytes = 0;
