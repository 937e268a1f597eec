-- As in daily_metrics: money in integers of 10^-14, each figure rounded once from unrounded amounts.
CREATE OR REPLACE VIEW bi.order_profit
(
    shop_id            String COMMENT 'Shop. A BI user sees its own alone.',
    order_id           String COMMENT 'Natural key of the order within the shop.',
    placed_at          DateTime64(6, 'UTC') COMMENT 'When the order was placed, UTC.',
    placed_day         Date COMMENT 'Day of placed_at in the time zone of the shop. Filter by it, and join by it and order_id: orders are stored by day.',
    on_day             Date COMMENT 'placed_day, for tools that name a truncated column as the column itself.',
    currency           String COMMENT 'Currency of the shop, ISO 4217.',
    revenue            Decimal(38, 6) COMMENT 'Total of the order before refunds.',
    refunds            Decimal(38, 6) COMMENT 'Its refunds, whatever their day.',
    cogs               Nullable(Decimal(38, 6)) COMMENT 'Product costs minus the cost of what was restocked; an unknown cost counts 0. NULL: over 10^31.',
    lines_without_cost UInt64 COMMENT 'Lines whose unit cost is unknown.',
    gateway_fees       Nullable(Decimal(38, 6)) COMMENT 'Actual fee or estimate by fee rule, minus fees that refunds gave back. NULL: over 10^31.',
    fee_source         String COMMENT 'actual, estimated, or none: no fee was sent and no rule matches.',
    profit             Nullable(Decimal(38, 6)) COMMENT 'revenue - refunds - cogs - gateway_fees. NULL: over 10^31.',
    taxes              Decimal(38, 6) COMMENT 'Tax minus refunded tax; what was not sent counts 0.',
    fulfillment_cost   Nullable(Decimal(38, 6)) COMMENT 'What packing and shipping the order costs the shop; NULL when not sent.',
    earnings           Nullable(Decimal(38, 6)) COMMENT 'profit - taxes - fulfillment_cost, without expenses and ads. NULL: over 10^31.',
    channel            String COMMENT 'Channel of the last touch; unattributed without one.',
    country            Nullable(String) COMMENT 'As in orders.',
    sales_channel      Nullable(String) COMMENT 'As in orders.',
    discount_codes     Array(String) COMMENT 'As in orders.',
    tags               Array(String) COMMENT 'As in orders.'
)
{definer}
AS WITH
    (n, d) -> if(n < 0, toInt256(-1), toInt256(1)) * intDiv(2 * abs(n) + d, 2 * d) AS half_up,
    -- More than a Decimal(38, 6) holds, which no order means, is not shown: an amount must not fail the view.
    toInt256('10000000000000000000000000000000000000') AS most,
    n -> if(n IS NULL OR abs(n) > most, NULL, toDecimal128(toDecimal256(least(greatest(n, -most), most), 6) / 1000000, 6)) AS money,
    x -> toInt256(toDecimal256(x, 6) * 1000000) AS micros,
    g -> replaceRegexpAll(replaceRegexpAll(lowerUTF8(upperUTF8(normalizeUTF8NFC(g))),
        '^[\\p{Z}\\t\\n\\v\\f\\r]+|[\\p{Z}\\t\\n\\v\\f\\r]+$', ''), '[\\p{Z}\\t\\n\\v\\f\\r_-]+', '_') AS gateway_key,
    toInt256(100000000) AS e8,
    (SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}) AS shop_currency,
    (
        SELECT (
            groupArrayArray(arrayMap(g -> gateway_key(g), rules.payment_gateway)),
            groupArrayArray(rules.percent),
            groupArrayArray(rules.fixed)
        )
        FROM {database}.gateway_fee_rules {final}
    ) AS fee_rules
SELECT
    f.shop_id,
    f.order_id,
    f.placed_at,
    f.placed_day,
    f.placed_day AS on_day,
    shop_currency AS currency,
    f.revenue,
    f.refunds,
    money(half_up(f.costs, e8)) AS cogs,
    f.lines_without_cost,
    money(half_up(f.fees, e8)) AS gateway_fees,
    multiIf(f.has_gateway_fee, 'actual', f.rule > 0, 'estimated', 'none') AS fee_source,
    money(half_up(f.gain, e8)) AS profit,
    f.taxes,
    f.fulfillment_cost,
    money(half_up(f.gain - micros(f.taxes + ifNull(f.fulfillment_cost, toDecimal128(0, 6))) * e8, e8)) AS earnings,
    f.channel,
    nullIf(toString(f.country), '') AS country,
    nullIf(toString(f.sales_channel), '') AS sales_channel,
    arrayMap(c -> toString(c), f.discount_codes) AS discount_codes,
    arrayMap(t -> toString(t), f.tags) AS tags
FROM
(
    SELECT
        p.shop_id AS shop_id,
        p.order_id AS order_id,
        p.placed_at AS placed_at,
        p.placed_day AS placed_day,
        p.revenue AS revenue,
        p.refunds AS refunds,
        p.has_gateway_fee AS has_gateway_fee,
        if(p.has_gateway_fee OR p.gateway = '', toUInt64(0), indexOf(fee_rules.1, p.gateway)) AS rule,
        toInt256(p.cogs * 1000000000000) * 100 AS costs,
        micros(p.gateway_fees) * e8
            + micros(fee_rules.2[rule]) * micros(p.revenue) + micros(fee_rules.3[rule]) * e8 AS fees,
        micros(p.revenue - p.refunds) * e8 - costs - fees AS gain,
        p.tax - p.tax_refunded AS taxes,
        p.fulfillment_cost AS fulfillment_cost,
        p.lines_without_cost AS lines_without_cost,
        if(empty(t.channel), 'unattributed', t.channel) AS channel,
        s.country AS country,
        s.sales_channel AS sales_channel,
        s.discount_codes AS discount_codes,
        s.tags AS tags
    FROM
    (
        SELECT
            d.shop_id AS shop_id,
            d.placed_day AS placed_day,
            order_id,
            placed_at,
            gateway_key(toString(payment_gateway)) AS gateway,
            has_gateway_fee,
            revenue,
            refunds,
            gateway_fees,
            tax,
            tax_refunded,
            fulfillment_cost,
            cogs,
            lines_without_cost
        FROM {database}.order_profit AS d {final}
        ARRAY JOIN
            d.orders.order_id AS order_id,
            d.orders.placed_at AS placed_at,
            d.orders.status AS status,
            d.orders.is_test AS is_test,
            d.orders.payment_gateway AS payment_gateway,
            d.orders.has_gateway_fee AS has_gateway_fee,
            d.orders.revenue AS revenue,
            d.orders.refunds AS refunds,
            d.orders.gateway_fees AS gateway_fees,
            d.orders.tax AS tax,
            d.orders.tax_refunded AS tax_refunded,
            d.orders.fulfillment_cost AS fulfillment_cost,
            d.orders.cogs AS cogs,
            d.orders.lines_without_cost AS lines_without_cost
        WHERE status = 'paid' AND NOT is_test
    ) AS p
    LEFT JOIN
    (
        SELECT a.shop_id AS shop_id, a.placed_day AS placed_day, a.order_id AS order_id, toString(a.last_touch) AS channel
        FROM {database}.order_attribution AS a {final}
    ) AS t ON p.shop_id = t.shop_id AND p.placed_day = t.placed_day AND p.order_id = t.order_id
    LEFT JOIN
    (
        SELECT o.shop_id, o.placed_day, o.order_id, o.country, o.sales_channel, o.discount_codes, o.tags
        FROM {database}.orders AS o {final}
    ) AS s ON p.shop_id = s.shop_id AND p.placed_day = s.placed_day AND p.order_id = s.order_id
) AS f
COMMENT 'What each counted order brings, one row an order, as GET /v1/orders has it. Over all orders the sums of daily_metrics, but for ads and expenses.';
