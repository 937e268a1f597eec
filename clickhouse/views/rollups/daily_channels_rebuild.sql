CREATE MATERIALIZED VIEW daily_channels_rebuild TO daily_channels AS
WITH
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
            WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM costed_days)
        )
    ),
    -- Orders of the same credits and gateway together, so that few rows are multiplied by the credits. A row a line, of which the
    -- first has the amounts of the order: a day of 50 orders takes 75 ms of CPU so, and 90 ms when the days are read once more for
    -- the costs, a day of 6,000 orders 107 and 109 ms.
    credited AS
    (
        SELECT
            n.shop_id AS shop_id,
            n.day AS day,
            if(x.gateway_fee IS NULL, n.estimable_gateway, '') AS gateway,
            t.credits AS credits,
            sumIf(n.orders, n.number < 2) AS orders,
            sumIf(n.revenue, n.number < 2) AS revenue,
            sumIf(n.refunds, n.number < 2) AS refunds,
            sumIf(if(n.orders = 1, ifNull(x.gateway_fee - n.refunded_fees, n.gateway_fees), n.gateway_fees), n.number < 2) AS gateway_fees,
            sum(toDecimal256(n.quantity, 6) * toDecimal256(ifNull(coalesce(n.unit_cost, k.unit_cost), toDecimal128(0, 6)), 6)) AS cogs
        FROM
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
                arraySum(d.refund_list.gateway_fee_refund) AS refunded_fees,
                if(d.orders = 1 AND NOT d.has_gateway_fee, d.payment_gateway, '') AS estimable_gateway,
                number,
                line_sku AS sku,
                line_cost AS unit_cost,
                if(line_restock, -line_quantity, line_quantity) AS quantity
            FROM order_days AS d FINAL
            LEFT ARRAY JOIN
                arrayEnumerate(d.lines.sku) AS number,
                d.lines.sku AS line_sku,
                d.lines.quantity AS line_quantity,
                d.lines.unit_cost AS line_cost,
                d.lines.restock AS line_restock
            WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM costed_days)
        ) AS n
        LEFT JOIN
        (
            SELECT shop_id, day, entry_sku AS sku, entry_day AS cost_day, toNullable(entry_cost) AS unit_cost
            FROM costed_days
            ARRAY JOIN catalog.sku AS entry_sku, catalog.cost_day AS entry_day, catalog.unit_cost AS entry_cost
        ) AS k ON n.shop_id = k.shop_id AND n.day = k.day AND n.sku = k.sku AND n.placed_day = k.cost_day
        LEFT JOIN
        (
            SELECT d.shop_id AS shop_id, d.day AS day, order_id, gateway_fee
            FROM daily_products AS d FINAL
            ARRAY JOIN d.known.order_id AS order_id, d.known.gateway_fee AS gateway_fee
            WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM costed_days)
        ) AS x ON x.shop_id = n.shop_id AND x.day = n.day AND x.order_id = n.order_id
        LEFT JOIN attributed AS t ON t.shop_id = n.shop_id AND t.placed_day = n.placed_day AND t.order_id = n.order_id
        GROUP BY n.shop_id, n.day, gateway, t.credits
    )
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    r.computed_at AS computed_at,
    s.list.1.1 AS `credits.model`,
    s.list.1.2 AS `credits.channel`,
    s.list.1.3 AS `credits.evidence`,
    s.list.1.4 AS `credits.parts`,
    s.list.1.5 AS `credits.payment_gateway`,
    s.list.2 AS `credits.orders`,
    s.list.3 AS `credits.revenue`,
    s.list.4 AS `credits.refunds`,
    s.list.5 AS `credits.gateway_fees`,
    s.list.6 AS `credits.cogs`
FROM costed_days AS r
LEFT JOIN
(
    SELECT
        g.shop_id AS shop_id,
        g.day AS day,
        groupArrayIf(
            (g.key, g.orders, g.revenue, g.refunds, g.gateway_fees, g.cogs),
            g.orders != 0 OR g.revenue != 0 OR g.refunds != 0 OR g.gateway_fees != 0 OR g.cogs != 0
        ) AS list
    FROM
    (
        SELECT
            c.shop_id AS shop_id,
            c.day AS day,
            (credit.1, credit.2, credit.3, credit.5, if(credit.1 = 'losses', '', c.gateway)) AS key,
            sum(c.orders * credit.4) AS orders,
            sum(c.revenue * credit.4) AS revenue,
            sum(c.refunds * credit.4) AS refunds,
            sum(c.gateway_fees * credit.4) AS gateway_fees,
            sum(c.cogs * toDecimal256(credit.4, 0)) AS cogs
        FROM credited AS c
        ARRAY JOIN
            if(
                empty(c.credits),
                [
                    ('last_touch', 'unattributed', 'ambiguous', toUInt32(1), toUInt32(1)),
                    ('first_touch', 'unattributed', 'ambiguous', toUInt32(1), toUInt32(1)),
                    ('linear', 'unattributed', 'ambiguous', toUInt32(1), toUInt32(1)),
                    ('losses', 'not_named', '', toUInt32(1), toUInt32(1))
                ],
                c.credits
            ) AS credit
        GROUP BY c.shop_id, c.day, key
    ) AS g
    GROUP BY g.shop_id, g.day
) AS s ON r.shop_id = s.shop_id AND r.day = s.day;
