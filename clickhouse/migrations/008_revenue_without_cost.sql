-- What revenue stands on unknown costs: of every day, the revenue of its orders that `orders_costed` leaves out.
ALTER TABLE daily_orders {on_cluster}
    ADD COLUMN IF NOT EXISTS revenue_uncosted Decimal(38, 6) COMMENT 'revenue of orders with a line whose unit cost is unknown';

-- The rebuild of 007_product_cost_days.sql, which this column joins.
ALTER TABLE daily_orders_rebuild {on_cluster} MODIFY QUERY
WITH
    days AS
    (
        SELECT
            d.shop_id AS shop_id,
            d.day AS day,
            d.order_id AS order_id,
            d.placed_day AS placed_day,
            d.orders AS orders,
            d.revenue AS revenue,
            d.refunds AS refunds,
            d.gateway_fees AS gateway_fees,
            d.has_gateway_fee AS has_gateway_fee,
            d.has_tax AS has_tax,
            d.payment_gateway AS payment_gateway,
            d.lines.sku AS sku,
            d.lines.quantity AS quantity,
            d.lines.unit_cost AS unit_cost,
            d.lines.restock AS restock
        FROM order_days AS d FINAL
        WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM rollup_requests)
    ),
    sums AS
    (
        SELECT
            s.shop_id AS shop_id,
            s.day AS day,
            sum(s.orders) AS orders,
            sum(s.revenue) AS revenue,
            sum(s.refunds) AS refunds,
            sum(s.gateway_fees) AS gateway_fees,
            -- One map for both sums: sumMap drops a key whose sums are all zero, and a count never is.
            sumMapIf(
                [s.payment_gateway],
                [toUInt64(1)],
                [s.revenue],
                s.orders = 1 AND NOT s.has_gateway_fee AND s.payment_gateway != ''
            ) AS estimable,
            countIf(s.orders = 1 AND s.has_gateway_fee) AS orders_fee_actual,
            countIf(s.orders = 1 AND s.has_tax) AS orders_tax_present
        FROM days AS s
        GROUP BY s.shop_id, s.day
    ),
    lines AS
    (
        SELECT
            l.shop_id AS shop_id,
            l.day AS day,
            l.order_id AS order_id,
            l.placed_day AS placed_day,
            l.revenue AS revenue,
            line_sku AS sku,
            line_quantity AS quantity,
            line_unit_cost AS unit_cost,
            line_restock AS restock
        FROM days AS l
        ARRAY JOIN l.sku AS line_sku, l.quantity AS line_quantity, l.unit_cost AS line_unit_cost, l.restock AS line_restock
    ),
    catalog AS
    (
        SELECT c.shop_id AS shop_id, c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost
        FROM product_costs AS c FINAL
        -- Only what was sold on these days: the price of a rebuild must not grow with the catalog. Without FINAL the set is
        -- at most too large, and cheap.
        WHERE c.shop_id IN (SELECT shop_id FROM rollup_requests) AND (c.shop_id, c.sku) IN
        (
            SELECT a.shop_id, sold_sku
            FROM order_days AS a
            ARRAY JOIN a.lines.sku AS sold_sku, a.lines.unit_cost AS sold_cost
            WHERE (a.shop_id, a.day) IN (SELECT shop_id, day FROM rollup_requests) AND sold_cost IS NULL
        )
    ),
    costed AS
    (
        SELECT
            n.shop_id AS shop_id,
            n.day AS day,
            n.order_id AS order_id,
            n.revenue AS revenue,
            n.restock AS restock,
            n.quantity AS quantity,
            coalesce(n.unit_cost, k.unit_cost) AS cost
        FROM lines AS n
        ASOF LEFT JOIN catalog AS k ON n.shop_id = k.shop_id AND n.sku = k.sku AND n.placed_day >= k.since
    ),
    costs AS
    (
        SELECT
            x.shop_id AS shop_id,
            x.day AS day,
            sum(if(x.restock, -1, 1) * toDecimal256(x.quantity, 6) * toDecimal256(ifNull(x.cost, toDecimal128(0, 6)), 6)) AS cogs,
            -- An order once, however many of its lines lack a cost.
            groupUniqArrayIf((x.order_id, x.revenue), NOT x.restock AND x.cost IS NULL) AS uncosted
        FROM costed AS x
        GROUP BY x.shop_id, x.day
    )
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    r.computed_at AS computed_at,
    s.orders AS orders,
    s.revenue AS revenue,
    s.refunds AS refunds,
    c.cogs AS cogs,
    s.gateway_fees AS gateway_fees,
    s.estimable.1 AS `estimable.payment_gateway`,
    s.estimable.2 AS `estimable.orders`,
    s.estimable.3 AS `estimable.revenue`,
    s.orders - length(c.uncosted) AS orders_costed,
    s.orders_fee_actual AS orders_fee_actual,
    s.orders_tax_present AS orders_tax_present,
    arraySum(c.uncosted.2) AS revenue_uncosted
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM rollup_requests GROUP BY shop_id, day) AS r
LEFT JOIN sums AS s ON r.shop_id = s.shop_id AND r.day = s.day
LEFT JOIN costs AS c ON r.shop_id = c.shop_id AND r.day = c.day;

-- Days of before get their value. One micro-second after the rebuild that stands: any rebuild that runs meanwhile began
-- later and wins. In small blocks, because each is a rebuild whose memory grows with its days.
INSERT INTO rollup_requests
SELECT k.shop_id AS shop_id, k.day AS day, max(k.computed_at) + 1 AS computed_at
FROM daily_orders AS k
WHERE k.part = 'orders'
GROUP BY k.shop_id, k.day
SETTINGS max_block_size = 1000, min_insert_block_size_rows = 1000, min_insert_block_size_bytes = 0;
