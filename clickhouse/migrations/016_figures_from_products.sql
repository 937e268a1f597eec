-- Two steps from orders to figures. First what the orders of a day come to without the catalog (daily_products: sums,
-- products, baskets), then the figures of the day from that and the catalog (daily_orders). A catalog push repeats the
-- second step alone, which reads a row a day instead of every order.
--
-- The stamp of the second step is taken after the row of the first was stored. Whoever computes under an earlier stamp may
-- have read an older row, and loses; whoever computes under a later one has read this row.
ALTER TABLE daily_products {on_cluster}
    ADD COLUMN IF NOT EXISTS orders UInt64,
    ADD COLUMN IF NOT EXISTS revenue Decimal(38, 6) COMMENT 'of orders; products.revenue is that of their lines',
    ADD COLUMN IF NOT EXISTS refunds Decimal(38, 6),
    ADD COLUMN IF NOT EXISTS gateway_fees Decimal(38, 6) COMMENT 'actual fees minus refunded fees',
    ADD COLUMN IF NOT EXISTS `estimable.payment_gateway` Array(String),
    ADD COLUMN IF NOT EXISTS `estimable.orders` Array(UInt64),
    ADD COLUMN IF NOT EXISTS `estimable.revenue` Array(Decimal(38, 6)),
    ADD COLUMN IF NOT EXISTS orders_fee_actual UInt64,
    ADD COLUMN IF NOT EXISTS orders_tax_present UInt64,
    -- Which orders a missing cost would leave without coverage: an entry an order that needs the catalog.
    ADD COLUMN IF NOT EXISTS `baskets.skus` Array(Array(String)) COMMENT 'SKUs of its lines without a unit cost of their own',
    ADD COLUMN IF NOT EXISTS `baskets.revenue` Array(Decimal(38, 6));

-- The first step. Prices stand in `orders`, which has one row an order, on its placed day; all else in `order_days`. The age
-- of a title is one number: 675,000 lines are grouped in 255 ms of CPU with it, and in 550 ms with a tuple of time and version.
ALTER TABLE daily_products_rebuild {on_cluster} MODIFY QUERY
WITH
    sums AS
    (
        SELECT
            d.shop_id AS shop_id,
            d.day AS day,
            sum(d.orders) AS orders,
            sum(d.revenue) AS revenue,
            sum(d.refunds) AS refunds,
            sum(d.gateway_fees) AS gateway_fees,
            -- One map for both sums: sumMap drops a key whose sums are all zero, and a count never is.
            sumMapIf(
                [d.payment_gateway],
                [toUInt64(1)],
                [d.revenue],
                d.orders = 1 AND NOT d.has_gateway_fee AND d.payment_gateway != ''
            ) AS estimable,
            countIf(d.orders = 1 AND d.has_gateway_fee) AS orders_fee_actual,
            countIf(d.orders = 1 AND d.has_tax) AS orders_tax_present,
            groupArrayIf(
                (
                    arrayFilter(
                        (sku, cost, restock) -> cost IS NULL AND NOT restock,
                        d.lines.sku, d.lines.unit_cost, d.lines.restock
                    ) AS skus,
                    d.revenue
                ),
                notEmpty(skus)
            ) AS baskets
        FROM order_days AS d FINAL
        WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM rollup_requests)
        GROUP BY d.shop_id, d.day
    ),
    entries AS
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
    p.list.1 AS `products.sku`,
    p.list.2 AS `products.cost_day`,
    p.list.3 AS `products.unit_cost`,
    p.list.4 AS `products.title`,
    p.list.5 AS `products.lines_sold`,
    p.list.6 AS `products.units_sold`,
    p.list.7 AS `products.units_returned`,
    p.list.8 AS `products.units_restocked`,
    p.list.9 AS `products.revenue`,
    p.list.10 AS `products.refunds`,
    s.orders AS orders,
    s.revenue AS revenue,
    s.refunds AS refunds,
    s.gateway_fees AS gateway_fees,
    s.estimable.1 AS `estimable.payment_gateway`,
    s.estimable.2 AS `estimable.orders`,
    s.estimable.3 AS `estimable.revenue`,
    s.orders_fee_actual AS orders_fee_actual,
    s.orders_tax_present AS orders_tax_present,
    s.baskets.1 AS `baskets.skus`,
    s.baskets.2 AS `baskets.revenue`
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM rollup_requests GROUP BY shop_id, day) AS r
LEFT JOIN sums AS s ON r.shop_id = s.shop_id AND r.day = s.day
LEFT JOIN
(
    SELECT
        e.shop_id AS shop_id,
        e.day AS day,
        -- As one list: with a list a column this takes twice the time.
        groupArray((
            e.sku, e.cost_day, e.unit_cost, e.title, e.lines_sold,
            e.units_sold, e.units_returned, e.units_restocked, e.revenue, e.refunds
        )) AS list
    FROM entries AS e
    GROUP BY e.shop_id, e.day
) AS p ON r.shop_id = p.shop_id AND r.day = p.day;

-- The trigger of the second step. It stores nothing. To repeat the step by hand, once the first is stored:
--   INSERT INTO figure_requests SELECT shop_id, day, toUnixTimestamp64Micro(now64(6)) FROM daily_products FINAL WHERE …
CREATE TABLE IF NOT EXISTS figure_requests {on_cluster}
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken after the first step was stored, before this one reads'
)
ENGINE = Null;

-- The costs of those days on their way to the figures; stores nothing either. A table between, because a clause that is used
-- twice is computed twice.
CREATE TABLE IF NOT EXISTS costed_days {on_cluster}
(
    shop_id     String,
    day         Date,
    computed_at UInt64,
    cogs        Decimal(76, 12),
    unknown     Array(String) COMMENT 'SKUs sold without a unit cost, neither of their own nor in the catalog'
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS costed_days_feed {on_cluster} TO costed_days AS
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    r.computed_at AS computed_at,
    c.cogs AS cogs,
    c.unknown AS unknown
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
        groupUniqArrayIf(e.sku, e.lines_sold > 0 AND e.unit_cost IS NULL AND k.unit_cost IS NULL) AS unknown
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

-- Now the views change hands: until here a rebuild wrote the figures itself.
DROP VIEW IF EXISTS daily_orders_rebuild {on_cluster};

-- A day without a row of the first step gets an explicit row of zeros.
CREATE MATERIALIZED VIEW IF NOT EXISTS daily_figures_rebuild {on_cluster} TO daily_orders AS
SELECT
    k.shop_id AS shop_id,
    k.day AS day,
    k.computed_at AS computed_at,
    p.orders AS orders,
    p.revenue AS revenue,
    p.refunds AS refunds,
    k.cogs AS cogs,
    p.gateway_fees AS gateway_fees,
    p.gateways AS `estimable.payment_gateway`,
    p.gateways_orders AS `estimable.orders`,
    p.gateways_revenue AS `estimable.revenue`,
    p.orders - u.orders AS orders_costed,
    p.orders_fee_actual AS orders_fee_actual,
    p.orders_tax_present AS orders_tax_present,
    u.revenue AS revenue_uncosted
FROM costed_days AS k
LEFT JOIN
(
    SELECT
        d.shop_id AS shop_id,
        d.day AS day,
        d.orders AS orders,
        d.revenue AS revenue,
        d.refunds AS refunds,
        d.gateway_fees AS gateway_fees,
        d.estimable.payment_gateway AS gateways,
        d.estimable.orders AS gateways_orders,
        d.estimable.revenue AS gateways_revenue,
        d.orders_fee_actual AS orders_fee_actual,
        d.orders_tax_present AS orders_tax_present
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

-- Days of before get both rows. Each is one micro-second after the one before it: any rebuild that runs meanwhile began later
-- and wins. In small blocks, because each is a rebuild whose memory grows with its days.
INSERT INTO rollup_requests
SELECT k.shop_id AS shop_id, k.day AS day, max(k.computed_at) + 1 AS computed_at
FROM daily_orders AS k
WHERE k.part = 'orders'
GROUP BY k.shop_id, k.day
SETTINGS max_block_size = 200, min_insert_block_size_rows = 200, min_insert_block_size_bytes = 0;

INSERT INTO figure_requests
SELECT p.shop_id AS shop_id, p.day AS day, max(p.computed_at) + 1 AS computed_at
FROM daily_products AS p
GROUP BY p.shop_id, p.day
SETTINGS max_block_size = 200, min_insert_block_size_rows = 200, min_insert_block_size_bytes = 0;
