-- What each order brings in the figures, whatever the days of its refunds, for lists and totals of orders. Natural key (shop_id,
-- placed_day), version computed_at: a row holds all orders that were placed on a day, and is replaced as a whole, so that an order
-- that left the day is gone. Deleted orders are not in it; those that do not count are, with their amounts. Written with the figures
-- of the day, from its orders and the catalog of today. Fee rules are applied when it is read.
CREATE TABLE IF NOT EXISTS order_profit
(
    shop_id     String,
    placed_day  Date,
    computed_at UInt64 COMMENT 'arrival stamp taken before the rebuild reads',
    orders      Nested
    (
        order_id           String,
        placed_at          DateTime64(6, 'UTC'),
        status             LowCardinality(String),
        is_test            Bool,
        payment_gateway    LowCardinality(String),
        has_gateway_fee    Bool,
        revenue            Decimal(38, 6),
        refunds            Decimal(38, 6),
        -- The actual fee, 0 where there is none, minus what refunds gave back of it.
        gateway_fees       Decimal(38, 6),
        tax                Decimal(38, 6),
        tax_refunded       Decimal(38, 6),
        fulfillment_cost   Nullable(Decimal(38, 6)),
        -- Of what was not restocked; an unknown cost counts 0.
        cogs               Decimal(76, 12),
        lines_without_cost UInt64,
        skus               Array(String)
    ) COMMENT 'an entry an order'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, placed_day)
SETTINGS index_granularity = 64;

-- The columns of an order travel as one tuple through the join of those of its lines that need the catalog.
CREATE MATERIALIZED VIEW IF NOT EXISTS order_profit_rebuild TO order_profit AS
SELECT
    r.shop_id AS shop_id,
    r.day AS placed_day,
    r.computed_at AS computed_at,
    p.list.1.1 AS `orders.order_id`,
    p.list.1.2 AS `orders.placed_at`,
    p.list.1.3 AS `orders.status`,
    p.list.1.4 AS `orders.is_test`,
    p.list.1.5 AS `orders.payment_gateway`,
    p.list.1.6 AS `orders.has_gateway_fee`,
    p.list.1.7 AS `orders.revenue`,
    p.list.1.8 AS `orders.refunds`,
    p.list.1.9 AS `orders.gateway_fees`,
    p.list.1.10 AS `orders.tax`,
    p.list.1.11 AS `orders.tax_refunded`,
    p.list.1.12 AS `orders.fulfillment_cost`,
    p.list.1.13 AS `orders.skus`,
    p.list.2 AS `orders.cogs`,
    p.list.3 AS `orders.lines_without_cost`
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM figure_requests GROUP BY shop_id, day) AS r
LEFT JOIN
(
    SELECT c.shop_id AS shop_id, c.day AS day, groupArray((c.entry, c.cogs, c.lines_without_cost)) AS list
    FROM
    (
        SELECT
            n.shop_id AS shop_id,
            n.day AS day,
            n.order_id AS order_id,
            any(n.entry) AS entry,
            any(n.known_cogs) + sum(
                toDecimal256(n.quantity, 6) * toDecimal256(ifNull(k.unit_cost, toDecimal128(0, 6)), 6)
            ) AS cogs,
            countIf(n.is_line AND k.unit_cost IS NULL) AS lines_without_cost
        FROM
        (
            SELECT
                e.shop_id AS shop_id,
                e.day AS day,
                e.order_id AS order_id,
                e.entry AS entry,
                e.known_cogs AS known_cogs,
                open_line.1 AS sku,
                open_line.2 AS quantity,
                notEmpty(e.open_lines) AS is_line
            FROM
            (
                SELECT
                    o.shop_id AS shop_id,
                    o.placed_day AS day,
                    o.order_id AS order_id,
                    (
                        o.order_id, o.placed_at, o.status, o.is_test, o.payment_gateway,
                        coalesce(x.gateway_fee, o.gateway_fee) IS NOT NULL, o.total,
                        arraySum(o.refunds.total),
                        ifNull(coalesce(x.gateway_fee, o.gateway_fee), toDecimal128(0, 6)) - arraySum(o.refunds.gateway_fee_refund),
                        ifNull(o.tax, toDecimal128(0, 6)),
                        arraySum(arrayMap(tax -> ifNull(tax, toDecimal128(0, 6)), o.refunds.tax_refund)),
                        coalesce(x.fulfillment_cost, o.fulfillment_cost),
                        arrayDistinct(o.line_items.sku)
                    ) AS entry,
                    arrayMap(
                        (sold, sku, cost, quantity) -> (sku, quantity - arraySum(
                            (id, back, restock) -> if(restock AND id = sold, back, toDecimal128(0, 6)),
                            o.refund_lines.line_id, o.refund_lines.quantity, o.refund_lines.restock
                        ), cost),
                        o.line_items.line_id, o.line_items.sku, o.line_items.unit_cost, o.line_items.quantity
                    ) AS lines,
                    arraySum(line -> toDecimal256(line.2, 6) * toDecimal256(ifNull(line.3, toDecimal128(0, 6)), 6), lines) AS known_cogs,
                    arrayFilter(line -> line.3 IS NULL, lines) AS open_lines
                FROM orders AS o FINAL
                LEFT JOIN
                (
                    -- What is known of these orders apart from them, as in daily_products_rebuild.
                    SELECT
                        c.shop_id AS shop_id,
                        c.order_id AS order_id,
                        maxIf(toNullable(c.amount), c.kind = 'gateway_fee') AS gateway_fee,
                        maxIf(toNullable(c.amount), c.kind = 'fulfillment_cost') AS fulfillment_cost
                    FROM order_costs AS c FINAL
                    WHERE (c.shop_id, c.order_id) IN
                    (
                        SELECT y.shop_id, y.order_id
                        FROM orders AS y
                        WHERE (y.shop_id, y.placed_day) IN (SELECT shop_id, day FROM figure_requests)
                            AND y.shop_id IN (SELECT shop_id FROM order_costs WHERE shop_id IN (SELECT shop_id FROM figure_requests))
                    )
                    GROUP BY c.shop_id, c.order_id
                ) AS x ON x.shop_id = o.shop_id AND x.order_id = o.order_id
                WHERE (o.shop_id, o.placed_day) IN (SELECT shop_id, day FROM figure_requests)
            ) AS e
            LEFT ARRAY JOIN e.open_lines AS open_line
        ) AS n
        ASOF LEFT JOIN
        (
            SELECT c.shop_id AS shop_id, c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost
            FROM product_costs AS c FINAL
            -- As in costed_days_feed. Orders that do not count may miss costs: theirs count nowhere.
            WHERE c.shop_id IN (SELECT shop_id FROM figure_requests) AND (c.shop_id, c.sku) IN
            (
                SELECT d.shop_id, arrayJoin(arrayFilter((sku, cost) -> cost IS NULL, d.products.sku, d.products.unit_cost))
                FROM daily_products AS d
                WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM figure_requests)
            )
        ) AS k ON n.shop_id = k.shop_id AND n.sku = k.sku AND n.day >= k.since
        GROUP BY n.shop_id, n.day, n.order_id
    ) AS c
    GROUP BY c.shop_id, c.day
) AS p ON r.shop_id = p.shop_id AND r.day = p.day;
