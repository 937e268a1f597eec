-- Credit of a shop and day. Natural key (shop_id, day), version computed_at, as daily_orders. An entry holds the sums of all
-- orders that give the channel `weighted / parts` of themselves: sums stay exact, the division comes last, at the reader.
CREATE TABLE IF NOT EXISTS daily_channels
(
    shop_id     String,
    day         Date,
    computed_at UInt64,
    credits     Nested
    (
        -- losses: channel is then the cause why orders are unattributed.
        model   LowCardinality(String),
        channel LowCardinality(String),
        parts   UInt32,
        orders  UInt64,
        revenue Decimal(38, 6),
        refunds Decimal(38, 6),
        -- The same of the proved parts alone.
        proved_orders  UInt64,
        proved_revenue Decimal(38, 6),
        proved_refunds Decimal(38, 6)
    ) COMMENT 'orders, revenue and refunds times the parts that the channel gets of the order'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day)
SETTINGS index_granularity = 512;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_channels_rebuild TO daily_channels AS
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
                [('last_touch', toString(a.last_touch), toUInt32(1), toUInt32(1), toUInt32(a.last_proved))],
                [('first_touch', toString(a.first_touch), toUInt32(1), toUInt32(1), toUInt32(a.first_proved))],
                arrayMap(
                    (c, n, p) -> ('linear', toString(c), n, a.touches, p),
                    a.linear.channel, a.linear.touches, a.linear.proved
                ),
                if(
                    a.last_touch = 'unattributed',
                    [('losses', if(a.loss = '', 'not_named', toString(a.loss)), toUInt32(1), toUInt32(1), toUInt32(0))],
                    []
                )
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
                        m -> (m, if(m = 'losses', 'not_named', 'unattributed'), toUInt32(1), toUInt32(1), toUInt32(0)),
                        ['last_touch', 'first_touch', 'linear', 'losses']
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
            sum(c.refunds * c.credit.3) AS refunds,
            sum(c.orders * c.credit.5) AS proved_orders,
            sum(c.revenue * c.credit.5) AS proved_revenue,
            sum(c.refunds * c.credit.5) AS proved_refunds
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
    s.refunds AS `credits.refunds`,
    s.proved_orders AS `credits.proved_orders`,
    s.proved_revenue AS `credits.proved_revenue`,
    s.proved_refunds AS `credits.proved_refunds`
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
        groupArray(g.refunds) AS refunds,
        groupArray(g.proved_orders) AS proved_orders,
        groupArray(g.proved_revenue) AS proved_revenue,
        groupArray(g.proved_refunds) AS proved_refunds
    FROM sums AS g
    WHERE g.orders != 0 OR g.revenue != 0 OR g.refunds != 0
    GROUP BY g.shop_id, g.day
) AS s ON r.shop_id = s.shop_id AND r.day = s.day;
