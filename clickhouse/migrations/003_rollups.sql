-- The trigger of every daily rollup: a row asks for one day of one shop to be computed afresh. It stores nothing; the views
-- on it do the work. To rebuild by hand:
--   INSERT INTO rollup_requests SELECT DISTINCT shop_id, day, toUnixTimestamp64Micro(now64(6)) FROM order_days WHERE …
CREATE TABLE IF NOT EXISTS rollup_requests {on_cluster}
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken before the rebuild reads'
)
ENGINE = Null;

-- Figures of a shop and day, in parts that are computed apart: the orders here, the ad spend in 005_ad_spend.sql. One table,
-- because a second one nearly doubles the time of a metrics request. Natural key (shop_id, day, part), version computed_at:
-- of two rebuilds the one that began later wins. A day that lost its last order keeps an explicit row of zeros. Ordered by
-- the key; 512 rows a granule, since a request reads at most 366 days. Readers sum: over the parts, and on a cluster over
-- the shards, each of which holds its share of a day.
CREATE TABLE IF NOT EXISTS daily_orders {on_cluster}
(
    shop_id            String,
    day                Date,
    part               Enum8('orders' = 0, 'spend' = 1),
    computed_at        UInt64,
    orders             UInt64,
    revenue            Decimal(38, 6),
    refunds            Decimal(38, 6),
    cogs               Decimal(76, 12),
    gateway_fees       Decimal(38, 6) COMMENT 'actual fees minus refunded fees',
    estimable          Nested
    (
        payment_gateway String,
        orders          UInt64,
        revenue         Decimal(38, 6)
    ) COMMENT 'orders without an actual fee, by payment gateway',
    orders_costed      UInt64 COMMENT 'orders whose every line has a unit cost',
    orders_fee_actual  UInt64,
    orders_tax_present UInt64,
    spend              Nested
    (
        channel  String,
        currency String,
        amount   Decimal(38, 6)
    ) COMMENT 'part spend only'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day, part)
SETTINGS index_granularity = 512;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_orders_rebuild {on_cluster} TO daily_orders AS
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
            line_sku AS sku,
            line_quantity AS quantity,
            line_unit_cost AS unit_cost,
            line_restock AS restock
        FROM days AS l
        ARRAY JOIN l.sku AS line_sku, l.quantity AS line_quantity, l.unit_cost AS line_unit_cost, l.restock AS line_restock
    ),
    catalog AS
    (
        SELECT c.shop_id AS shop_id, c.sku AS sku, c.effective_from AS effective_from, toNullable(c.unit_cost) AS unit_cost
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
            n.restock AS restock,
            n.quantity AS quantity,
            coalesce(n.unit_cost, k.unit_cost) AS cost
        FROM lines AS n
        ASOF LEFT JOIN catalog AS k ON n.shop_id = k.shop_id AND n.sku = k.sku AND n.placed_day >= k.effective_from
    ),
    costs AS
    (
        SELECT
            x.shop_id AS shop_id,
            x.day AS day,
            sum(if(x.restock, -1, 1) * toDecimal256(x.quantity, 6) * toDecimal256(ifNull(x.cost, toDecimal128(0, 6)), 6)) AS cogs,
            uniqExactIf(x.order_id, NOT x.restock AND x.cost IS NULL) AS orders_uncosted
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
    s.orders - c.orders_uncosted AS orders_costed,
    s.orders_fee_actual AS orders_fee_actual,
    s.orders_tax_present AS orders_tax_present
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM rollup_requests GROUP BY shop_id, day) AS r
LEFT JOIN sums AS s ON r.shop_id = s.shop_id AND r.day = s.day
LEFT JOIN costs AS c ON r.shop_id = c.shop_id AND r.day = c.day;
