-- Of a line that comes back, the discount of the line comes off its price: what was sold for 17 instead of 20 brings back 17,
-- and half of it 8.50. A share without an end is cut at the twelfth decimal. Until here such lines counted at their full
-- price, so that an article sold at a discount and sent back had a negative margin.
ALTER TABLE order_days {on_cluster}
    ADD COLUMN IF NOT EXISTS `refund_lines.sold` Array(Decimal(38, 6)) COMMENT 'units that the order sold of the line; 0: not known, the discount is left out',
    ADD COLUMN IF NOT EXISTS `refund_lines.line_discount` Array(Decimal(38, 6)) COMMENT 'of all these units';

-- Rows of before learn it from their order. Each keeps its version: a row that is written meanwhile is newer and wins. Orders
-- without a discount need no row.
INSERT INTO order_days
SELECT d.* REPLACE
    (
        arrayMap(id -> o.quantities[indexOf(o.line_ids, id)], d.refund_lines.line_id) AS `refund_lines.sold`,
        arrayMap(id -> o.discounts[indexOf(o.line_ids, id)], d.refund_lines.line_id) AS `refund_lines.line_discount`
    )
FROM order_days AS d FINAL
INNER JOIN
(
    SELECT
        s.shop_id AS shop_id,
        s.placed_day AS placed_day,
        s.order_id AS order_id,
        s.version AS version,
        s.line_items.line_id AS line_ids,
        s.line_items.quantity AS quantities,
        s.line_items.line_discount AS discounts
    FROM orders AS s FINAL
    WHERE arraySum(s.line_items.line_discount) > 0 AND (s.shop_id, s.placed_day, s.order_id) IN
    (
        SELECT r.shop_id, r.placed_day, r.order_id FROM order_days AS r WHERE notEmpty(r.refund_lines.line_id)
    )
) AS o ON d.shop_id = o.shop_id AND d.placed_day = o.placed_day AND d.order_id = o.order_id AND d.version = o.version
WHERE notEmpty(d.refund_lines.line_id)
SETTINGS max_partitions_per_insert_block = 0;

-- The first step as before, but for the refunds of lines. Prices stand in `orders`, which has one row an order, on its placed
-- day; all else in `order_days`. The age of a title is one number: 675,000 lines are grouped in 255 ms of CPU with it, and in
-- 550 ms with a tuple of time and version.
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
            sum(
                toDecimal256(line_quantity, 6) * toDecimal256(line_price, 6)
                    - if(line_sold = 0, toDecimal256(0, 12), toDecimal256(line_quantity, 6) * toDecimal256(line_discount, 6) / if(line_sold = 0, 1, line_sold))
            ) AS refunds
        FROM order_days AS d FINAL
        ARRAY JOIN
            d.refund_lines.sku AS line_sku,
            d.refund_lines.unit_cost AS line_cost,
            d.refund_lines.quantity AS line_quantity,
            d.refund_lines.restock AS line_restock,
            d.refund_lines.unit_price AS line_price,
            d.refund_lines.sold AS line_sold,
            d.refund_lines.line_discount AS line_discount
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

-- The days of those lines get both rows anew. Each is one micro-second after the one before it: any rebuild that runs
-- meanwhile began later and wins. In small blocks, because each is a rebuild whose memory grows with its days.
INSERT INTO rollup_requests
SELECT k.shop_id AS shop_id, k.day AS day, max(k.computed_at) + 1 AS computed_at
FROM daily_orders AS k
WHERE k.part = 'orders'
    AND (k.shop_id, k.day) IN (SELECT d.shop_id, d.day FROM order_days AS d WHERE arraySum(d.refund_lines.line_discount) > 0)
GROUP BY k.shop_id, k.day
SETTINGS max_block_size = 200, min_insert_block_size_rows = 200, min_insert_block_size_bytes = 0;

INSERT INTO figure_requests
SELECT p.shop_id AS shop_id, p.day AS day, max(p.computed_at) + 1 AS computed_at
FROM daily_products AS p
WHERE (p.shop_id, p.day) IN (SELECT d.shop_id, d.day FROM order_days AS d WHERE arraySum(d.refund_lines.line_discount) > 0)
GROUP BY p.shop_id, p.day
SETTINGS max_block_size = 200, min_insert_block_size_rows = 200, min_insert_block_size_bytes = 0;
