-- Which channels an order is credited to, by model. A row only where events of a visitor are tied to the order; without one
-- it is unattributed. Natural key (shop_id, placed_day, order_id), version: stamp taken before the events were read.
-- Kept apart from the events, so that credit outlives their retention. Ordered by the day of the order, as the rollup of a
-- day reads it; an order that moved leaves a row that nothing joins any more.
CREATE TABLE IF NOT EXISTS order_attribution {on_cluster}
(
    shop_id     String,
    placed_day  Date,
    order_id    String,
    version     UInt64,
    last_touch  LowCardinality(String),
    first_touch LowCardinality(String),
    touches     UInt32 COMMENT 'what the touches of linear add up to',
    linear      Nested
    (
        channel LowCardinality(String),
        touches UInt32
    )
)
ENGINE = {engine}ReplacingMergeTree(version)
PARTITION BY toYear(placed_day)
ORDER BY (shop_id, placed_day, order_id)
SETTINGS index_granularity = 4096;

-- Credit of a shop and day. Natural key (shop_id, day), version computed_at, as daily_orders. An entry holds the sums of all
-- orders that give the channel `weighted / parts` of themselves: sums stay exact, the division comes last, at the reader.
CREATE TABLE IF NOT EXISTS daily_channels {on_cluster}
(
    shop_id     String,
    day         Date,
    computed_at UInt64,
    credits     Nested
    (
        model   LowCardinality(String),
        channel LowCardinality(String),
        parts   UInt32,
        orders  UInt64,
        revenue Decimal(38, 6),
        refunds Decimal(38, 6)
    ) COMMENT 'orders, revenue and refunds times the parts that the channel gets of the order'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day)
SETTINGS index_granularity = 512;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_channels_rebuild {on_cluster} TO daily_channels AS
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
            d.refunds AS refunds
        FROM order_days AS d FINAL
        WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM rollup_requests)
    ),
    attributed AS
    (
        SELECT
            a.shop_id AS shop_id,
            a.placed_day AS placed_day,
            a.order_id AS order_id,
            arrayConcat(
                [('last_touch', toString(a.last_touch), toUInt32(1), toUInt32(1))],
                [('first_touch', toString(a.first_touch), toUInt32(1), toUInt32(1))],
                arrayMap((c, n) -> ('linear', toString(c), n, a.touches), a.linear.channel, a.linear.touches)
            ) AS credits
        FROM order_attribution AS a FINAL
        WHERE (a.shop_id, a.placed_day) IN (SELECT shop_id, placed_day FROM days)
    ),
    credited AS
    (
        SELECT
            o.shop_id AS shop_id,
            o.day AS day,
            o.orders AS orders,
            o.revenue AS revenue,
            o.refunds AS refunds,
            arrayJoin(
                if(
                    empty(t.credits),
                    arrayMap(
                        m -> (m, 'unattributed', toUInt32(1), toUInt32(1)),
                        ['last_touch', 'first_touch', 'linear']
                    ),
                    t.credits
                )
            ) AS credit
        FROM days AS o
        LEFT JOIN attributed AS t ON o.shop_id = t.shop_id AND o.placed_day = t.placed_day AND o.order_id = t.order_id
    ),
    sums AS
    (
        SELECT
            c.shop_id AS shop_id,
            c.day AS day,
            c.credit.1 AS model,
            c.credit.2 AS channel,
            c.credit.4 AS parts,
            sum(c.orders * c.credit.3) AS orders,
            sum(c.revenue * c.credit.3) AS revenue,
            sum(c.refunds * c.credit.3) AS refunds
        FROM credited AS c
        GROUP BY c.shop_id, c.day, model, channel, parts
    )
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    r.computed_at AS computed_at,
    s.model AS `credits.model`,
    s.channel AS `credits.channel`,
    s.parts AS `credits.parts`,
    s.orders AS `credits.orders`,
    s.revenue AS `credits.revenue`,
    s.refunds AS `credits.refunds`
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM rollup_requests GROUP BY shop_id, day) AS r
LEFT JOIN
(
    SELECT
        g.shop_id AS shop_id,
        g.day AS day,
        groupArray(g.model) AS model,
        groupArray(g.channel) AS channel,
        groupArray(g.parts) AS parts,
        groupArray(g.orders) AS orders,
        groupArray(g.revenue) AS revenue,
        groupArray(g.refunds) AS refunds
    FROM sums AS g
    WHERE g.orders != 0 OR g.revenue != 0 OR g.refunds != 0
    GROUP BY g.shop_id, g.day
) AS s ON r.shop_id = s.shop_id AND r.day = s.day;

-- Fee rules of a shop, the whole list in one row, since a push replaces the whole list. Natural key shop_id, version:
-- arrival stamp. Estimates are made when metrics are read, so a change of rules needs no rebuild.
CREATE TABLE IF NOT EXISTS gateway_fee_rules {on_cluster}
(
    shop_id String,
    rules   Nested
    (
        payment_gateway String,
        percent         Decimal(38, 6),
        fixed           Decimal(38, 6)
    ) COMMENT 'gateways as given; they match without regard to case',
    version UInt64
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY shop_id;

-- Recurring costs. Natural key (shop_id, expense_id): of an expense of the API the id follows from its external_id, so two
-- pushes of one external_id meet in one row; one made in the app has a random id and no external_id. Version: arrival
-- stamp. A deletion is a tombstone without content; the forced merges make what it replaced vanish for good.
CREATE TABLE IF NOT EXISTS expenses {on_cluster}
(
    shop_id            String,
    expense_id         String,
    external_id        Nullable(String) COMMENT 'null: made in the app',
    name               String,
    category           LowCardinality(String),
    amount             Decimal(38, 6) COMMENT 'a percentage where frequency is percent_of_revenue',
    currency           LowCardinality(String),
    frequency          LowCardinality(String),
    started_on         Date,
    ended_on           Nullable(Date) COMMENT 'inclusive; null: goes on',
    counts_as_ad_spend Bool,
    version            UInt64,
    is_deleted         UInt8
)
ENGINE = {engine}ReplacingMergeTree(version, is_deleted)
ORDER BY (shop_id, expense_id)
SETTINGS min_age_to_force_merge_seconds = 600, min_age_to_force_merge_on_partition_only = 1;
