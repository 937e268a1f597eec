-- Credit of a shop and day. Natural key (shop_id, day), version computed_at, as daily_orders. An entry holds the sums of all
-- orders that give the channel `weighted / parts` of themselves: sums stay exact, the division comes last, at the reader.
-- Computed with the figures, whose catalog it needs.
CREATE TABLE IF NOT EXISTS daily_channels
(
    shop_id     String,
    day         Date,
    computed_at UInt64,
    credits     Nested
    (
        -- losses: channel is then the cause why orders are unattributed.
        model           LowCardinality(String),
        channel         LowCardinality(String),
        evidence        LowCardinality(String),
        parts           UInt32,
        -- Of orders without an actual fee, whose fees are estimated when they are read: orders and revenue are all theirs. Else empty.
        payment_gateway String,
        orders          UInt64,
        revenue         Decimal(38, 6),
        refunds         Decimal(38, 6),
        gateway_fees    Decimal(38, 6),
        cogs            Decimal(76, 12)
    ) COMMENT 'amounts of orders times the parts that the channel gets of the order'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day)
SETTINGS index_granularity = 512;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_channels_rebuild TO daily_channels AS
WITH
    -- What is known of these orders apart from them, as in daily_products_rebuild.
    known AS
    (
        SELECT c.shop_id AS shop_id, c.order_id AS order_id, max(toNullable(c.amount)) AS gateway_fee
        FROM order_costs AS c FINAL
        WHERE c.kind = 'gateway_fee' AND (c.shop_id, c.order_id) IN
        (
            SELECT k.shop_id, k.order_id
            FROM order_days AS k
            WHERE (k.shop_id, k.day) IN (SELECT shop_id, day FROM figure_requests) AND k.orders = 1
                AND k.shop_id IN (SELECT shop_id FROM order_costs WHERE shop_id IN (SELECT shop_id FROM figure_requests))
        )
        GROUP BY c.shop_id, c.order_id
    ),
    -- The lines that need the catalog go through its join alone, as in order_profit_rebuild.
    catalog_costs AS
    (
        SELECT
            n.shop_id AS shop_id,
            n.day AS day,
            n.order_id AS order_id,
            sum(toDecimal256(n.quantity, 6) * toDecimal256(ifNull(k.unit_cost, toDecimal128(0, 6)), 6)) AS cogs
        FROM
        (
            SELECT
                d.shop_id AS shop_id,
                d.day AS day,
                d.order_id AS order_id,
                d.placed_day AS cost_day,
                line_sku AS sku,
                if(line_restock, -line_quantity, line_quantity) AS quantity
            FROM order_days AS d FINAL
            ARRAY JOIN
                d.lines.sku AS line_sku,
                d.lines.quantity AS line_quantity,
                d.lines.unit_cost AS line_cost,
                d.lines.restock AS line_restock
            WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM figure_requests) AND line_cost IS NULL
        ) AS n
        ASOF LEFT JOIN
        (
            SELECT c.shop_id AS shop_id, c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost
            FROM product_costs AS c FINAL
            WHERE c.shop_id IN (SELECT shop_id FROM figure_requests) AND (c.shop_id, c.sku) IN
            (
                SELECT d.shop_id, arrayJoin(arrayFilter((sku, cost) -> cost IS NULL, d.products.sku, d.products.unit_cost))
                FROM daily_products AS d
                WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM figure_requests)
            )
        ) AS k ON n.shop_id = k.shop_id AND n.sku = k.sku AND n.cost_day >= k.since
        GROUP BY n.shop_id, n.day, n.order_id
    ),
    attributed AS
    (
        SELECT
            a.shop_id AS shop_id,
            a.placed_day AS placed_day,
            a.order_id AS order_id,
            arrayConcat(
                [('last_touch', toString(a.last_touch), toString(a.last_evidence), toUInt32(1), toUInt32(1))],
                [('first_touch', toString(a.first_touch), toString(a.first_evidence), toUInt32(1), toUInt32(1))],
                arrayMap(
                    (c, e, n) -> ('linear', toString(c), toString(e), n, a.touches),
                    a.linear.channel, a.linear.evidence, a.linear.touches
                ),
                if(
                    a.last_touch = 'unattributed',
                    [('losses', if(a.loss = '', 'not_named', toString(a.loss)), '', toUInt32(1), toUInt32(1))],
                    []
                )
            ) AS credits
        FROM order_attribution AS a FINAL
        WHERE (a.shop_id, a.placed_day) IN
        (
            SELECT d.shop_id, d.placed_day
            FROM order_days AS d
            WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM figure_requests)
        )
    ),
    credited AS
    (
        SELECT
            o.shop_id AS shop_id,
            o.day AS day,
            o.orders AS orders,
            o.revenue AS revenue,
            o.refunds AS refunds,
            if(
                o.orders = 1 AND x.gateway_fee IS NOT NULL,
                ifNull(x.gateway_fee, toDecimal128(0, 6)) - arraySum(o.refund_list.gateway_fee_refund),
                o.gateway_fees
            ) AS gateway_fees,
            c.cogs + arraySum(
                (quantity, cost, restock) -> toDecimal256(if(restock, -quantity, quantity), 6)
                    * toDecimal256(ifNull(cost, toDecimal128(0, 6)), 6),
                o.lines.quantity, o.lines.unit_cost, o.lines.restock
            ) AS cogs,
            if(o.orders = 1 AND NOT o.has_gateway_fee AND x.gateway_fee IS NULL, o.payment_gateway, '') AS gateway,
            arrayJoin(
                if(
                    empty(t.credits),
                    arrayMap(
                        m -> (
                            m, if(m = 'losses', 'not_named', 'unattributed'), if(m = 'losses', '', 'ambiguous'), toUInt32(1), toUInt32(1)
                        ),
                        ['last_touch', 'first_touch', 'linear', 'losses']
                    ),
                    t.credits
                )
            ) AS credit
        FROM order_days AS o FINAL
        LEFT JOIN known AS x ON x.shop_id = o.shop_id AND x.order_id = o.order_id
        LEFT JOIN catalog_costs AS c ON c.shop_id = o.shop_id AND c.day = o.day AND c.order_id = o.order_id
        LEFT JOIN attributed AS t ON t.shop_id = o.shop_id AND t.placed_day = o.placed_day AND t.order_id = o.order_id
        WHERE (o.shop_id, o.day) IN (SELECT shop_id, day FROM figure_requests)
    )
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    r.computed_at AS computed_at,
    s.list.1 AS `credits.model`,
    s.list.2 AS `credits.channel`,
    s.list.3 AS `credits.evidence`,
    s.list.4 AS `credits.parts`,
    s.list.5 AS `credits.payment_gateway`,
    s.list.6 AS `credits.orders`,
    s.list.7 AS `credits.revenue`,
    s.list.8 AS `credits.refunds`,
    s.list.9 AS `credits.gateway_fees`,
    s.list.10 AS `credits.cogs`
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM figure_requests GROUP BY shop_id, day) AS r
LEFT JOIN
(
    SELECT g.shop_id AS shop_id, g.day AS day, groupArray(g.entry) AS list
    FROM
    (
        SELECT
            c.shop_id AS shop_id,
            c.day AS day,
            (
                c.credit.1, c.credit.2, c.credit.3, c.credit.5, if(c.credit.1 = 'losses', '', c.gateway),
                sum(c.orders * c.credit.4), sum(c.revenue * c.credit.4), sum(c.refunds * c.credit.4),
                sum(c.gateway_fees * c.credit.4), sum(c.cogs * toDecimal256(c.credit.4, 0))
            ) AS entry
        FROM credited AS c
        GROUP BY c.shop_id, c.day, c.credit.1, c.credit.2, c.credit.3, c.credit.5, if(c.credit.1 = 'losses', '', c.gateway)
        HAVING entry.6 != 0 OR entry.7 != 0 OR entry.8 != 0 OR entry.9 != 0 OR entry.10 != 0
    ) AS g
    GROUP BY g.shop_id, g.day
) AS s ON r.shop_id = s.shop_id AND r.day = s.day;
