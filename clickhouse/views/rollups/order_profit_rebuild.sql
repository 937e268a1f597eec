CREATE MATERIALIZED VIEW order_profit_rebuild TO order_profit AS
WITH
    costs AS
    (
        SELECT
            n.shop_id AS shop_id,
            n.day AS day,
            n.order_id AS order_id,
            sum(toDecimal256(n.quantity, 6) * toDecimal256(ifNull(coalesce(n.unit_cost, k.unit_cost), toDecimal128(0, 6)), 6)) AS cogs,
            countIf(n.unit_cost IS NULL AND k.unit_cost IS NULL) AS lines_without_cost
        FROM
        (
            SELECT
                o.shop_id AS shop_id,
                o.placed_day AS day,
                o.order_id AS order_id,
                line_sku AS sku,
                line_cost AS unit_cost,
                line_quantity - arraySum(
                    (id, back, restock) -> if(restock AND id = line_id, back, toDecimal128(0, 6)),
                    o.refund_lines.line_id, o.refund_lines.quantity, o.refund_lines.restock
                ) AS quantity
            FROM orders AS o FINAL
            ARRAY JOIN
                o.line_items.line_id AS line_id,
                o.line_items.sku AS line_sku,
                o.line_items.unit_cost AS line_cost,
                o.line_items.quantity AS line_quantity
            WHERE (o.shop_id, o.placed_day) IN (SELECT shop_id, day FROM costed_days)
        ) AS n
        LEFT JOIN
        (
            -- Orders that do not count may miss costs: theirs count nowhere.
            SELECT shop_id, day, entry_sku AS sku, toNullable(entry_cost) AS unit_cost
            FROM costed_days
            ARRAY JOIN catalog.sku AS entry_sku, catalog.cost_day AS entry_day, catalog.unit_cost AS entry_cost
            WHERE entry_day = day
        ) AS k ON n.shop_id = k.shop_id AND n.sku = k.sku AND n.day = k.day
        GROUP BY n.shop_id, n.day, n.order_id
    )
SELECT
    r.shop_id AS shop_id,
    r.day AS placed_day,
    r.computed_at AS computed_at,
    p.list.1 AS `orders.order_id`,
    p.list.2 AS `orders.order_name`,
    p.list.3 AS `orders.placed_at`,
    p.list.4 AS `orders.status`,
    p.list.5 AS `orders.is_test`,
    p.list.6 AS `orders.payment_gateway`,
    p.list.7 AS `orders.is_warned`,
    p.list.8 AS `orders.has_gateway_fee`,
    p.list.9 AS `orders.revenue`,
    p.list.10 AS `orders.refunds`,
    p.list.11 AS `orders.gateway_fees`,
    p.list.12 AS `orders.tax`,
    p.list.13 AS `orders.tax_refunded`,
    p.list.14 AS `orders.fulfillment_cost`,
    p.list.15 AS `orders.skus`,
    p.list.16 AS `orders.cogs`,
    p.list.17 AS `orders.lines_without_cost`,
    p.list.18 AS `orders.updated_at`,
    p.list.19 AS `orders.received_at`
FROM costed_days AS r
LEFT JOIN
(
    SELECT
        o.shop_id AS shop_id,
        o.placed_day AS day,
        groupArray((
            o.order_id, o.order_name, o.placed_at, o.status, o.is_test, o.payment_gateway, notEmpty(o.warnings.code),
            coalesce(x.gateway_fee, o.gateway_fee) IS NOT NULL, o.total,
            arraySum(o.refunds.total),
            ifNull(coalesce(x.gateway_fee, o.gateway_fee), toDecimal128(0, 6)) - arraySum(o.refunds.gateway_fee_refund),
            ifNull(o.tax, toDecimal128(0, 6)),
            arraySum(arrayMap(tax -> ifNull(tax, toDecimal128(0, 6)), o.refunds.tax_refund)),
            coalesce(x.fulfillment_cost, o.fulfillment_cost),
            arrayDistinct(o.line_items.sku),
            c.cogs,
            c.lines_without_cost,
            o.updated_at,
            toUInt64(bitAnd(o.version, toUInt128(18446744073709551615)))
        )) AS list
    FROM orders AS o FINAL
    LEFT JOIN
    (
        SELECT d.shop_id AS shop_id, d.day AS day, order_id, gateway_fee, fulfillment_cost
        FROM daily_products AS d FINAL
        ARRAY JOIN d.known.order_id AS order_id, d.known.gateway_fee AS gateway_fee, d.known.fulfillment_cost AS fulfillment_cost
        WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM costed_days)
    ) AS x ON x.shop_id = o.shop_id AND x.day = o.placed_day AND x.order_id = o.order_id
    LEFT JOIN costs AS c ON c.shop_id = o.shop_id AND c.day = o.placed_day AND c.order_id = o.order_id
    WHERE (o.shop_id, o.placed_day) IN (SELECT shop_id, day FROM costed_days)
    GROUP BY o.shop_id, o.placed_day
) AS p ON r.shop_id = p.shop_id AND r.day = p.day;
