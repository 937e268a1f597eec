-- The trigger of the second step (004_daily_products.sql). It stores nothing. To repeat the step by hand, once the first is stored:
--   INSERT INTO figure_requests SELECT shop_id, day, toUnixTimestamp64Micro(now64(6)) FROM daily_products FINAL WHERE …
CREATE TABLE IF NOT EXISTS figure_requests
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken after the first step was stored, before this one reads'
)
ENGINE = Null;

-- The costs of those days on their way to the figures, to the credit of channels and to the profit of orders; stores nothing either.
-- A table between, because a clause that is used twice is computed twice.
CREATE TABLE IF NOT EXISTS costed_days
(
    shop_id     String,
    day         Date,
    computed_at UInt64,
    cogs        Decimal(76, 12),
    unknown     Array(String) COMMENT 'SKUs sold without a unit cost, neither of their own nor in the catalog',
    catalog     Nested
    (
        sku       String,
        cost_day  Date,
        unit_cost Decimal(38, 6)
    ) COMMENT 'unit costs of the catalog, of the lines that need it'
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS costed_days_feed TO costed_days AS
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

-- Figures of a shop and day, in parts that are computed apart: the orders by figure_requests, the ad spend by
-- spend_rollup_requests. One table, because a second one nearly doubles the time of a metrics request. Natural key (shop_id,
-- day, part), version computed_at: of two rebuilds the one that began later wins. A day that lost its last order keeps an
-- explicit row of zeros. Ordered by the key; 512 rows a granule, since a request reads at most 366 days. Readers sum over
-- the parts.
CREATE TABLE IF NOT EXISTS daily_orders
(
    shop_id            String,
    day                Date,
    part               Enum8('orders' = 0, 'spend' = 1),
    computed_at        UInt64,
    sums               Map(LowCardinality(String), Decimal(76, 12)) COMMENT 'by the names of domain/metrics/sums.ts; zeros are left out; of part orders only',
    estimable          Nested
    (
        payment_gateway String,
        orders          UInt64,
        revenue         Decimal(38, 6)
    ) COMMENT 'orders without an actual fee, by payment gateway',
    uncosted_skus      Array(String) COMMENT 'sorted; sold without a unit cost, neither of the line nor in the catalog; empty text: lines without SKU',
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

-- A day without a row of the first step gets an explicit row of zeros.
CREATE MATERIALIZED VIEW IF NOT EXISTS daily_figures_rebuild TO daily_orders AS
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

-- The trigger of the spend rollup, apart from that of the orders because neither needs the other. To rebuild by hand:
--   INSERT INTO spend_rollup_requests SELECT DISTINCT shop_id, event_date, toUnixTimestamp64Micro(now64(6)) FROM ad_spend WHERE …
CREATE TABLE IF NOT EXISTS spend_rollup_requests
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken before the rebuild reads'
)
ENGINE = Null;

-- The spend of a day by channel and currency, as part 'spend' of the day's figures.
CREATE MATERIALIZED VIEW IF NOT EXISTS daily_spend_rebuild TO daily_orders AS
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    'spend' AS part,
    r.computed_at AS computed_at,
    t.channels AS `spend.channel`,
    t.currencies AS `spend.currency`,
    t.amounts AS `spend.amount`
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM spend_rollup_requests GROUP BY shop_id, day) AS r
LEFT JOIN
(
    SELECT
        b.shop_id AS shop_id,
        b.event_date AS day,
        groupArray(b.channel) AS channels,
        groupArray(b.currency) AS currencies,
        groupArray(b.amount) AS amounts
    FROM
    (
        SELECT s.shop_id AS shop_id, s.event_date AS event_date, toString(s.channel) AS channel,
            toString(s.currency) AS currency, sumIf(s.spend, s.version >= c.version) AS amount
        FROM
        (
            SELECT a.shop_id AS shop_id, a.event_date AS event_date, a.channel AS channel, a.currency AS currency,
                a.spend AS spend, a.version AS version
            FROM ad_spend AS a FINAL
            WHERE (a.shop_id, a.event_date) IN (SELECT shop_id, day FROM spend_rollup_requests)
        ) AS s
        LEFT JOIN
        (
            SELECT k.shop_id AS shop_id, k.event_date AS event_date, k.channel AS channel, k.currency AS currency,
                max(k.version) AS version
            FROM ad_spend_clears AS k
            WHERE (k.shop_id, k.event_date) IN (SELECT shop_id, day FROM spend_rollup_requests)
            GROUP BY k.shop_id, k.event_date, k.channel, k.currency
        ) AS c
            ON s.shop_id = c.shop_id AND s.event_date = c.event_date AND s.channel = c.channel AND s.currency = c.currency
        GROUP BY s.shop_id, s.event_date, s.channel, s.currency
    ) AS b
    GROUP BY b.shop_id, b.event_date
) AS t
    ON t.shop_id = r.shop_id AND t.day = r.day;
