-- As in daily_metrics: money in integers of 10^-14, each figure rounded once from unrounded amounts.
CREATE OR REPLACE VIEW bi.order_profit
(
    shop_id            String COMMENT 'Shop. A BI user sees its own alone.',
    order_id           String COMMENT 'Natural key of the order within the shop.',
    placed_at          DateTime64(6, 'UTC') COMMENT 'When the order was placed, UTC.',
    placed_day         Date COMMENT 'Day of placed_at in the time zone of the shop. Filter by it, and join by it and order_id: orders are stored by day.',
    on_day             Date COMMENT 'placed_day, for tools that name a truncated column as the column itself.',
    currency           String COMMENT 'Currency of the shop, ISO 4217.',
    customer_id        Nullable(String) COMMENT 'As in orders.',
    customer_order_number Nullable(UInt64) COMMENT '1 for the first counted order of the customer in the shop, by placed_at, then order_id; 2 for the next. NULL without a customer. It follows from the orders of now: an older order that arrives changes the numbers of later ones, as do orders that are voided or deleted or change their customer. Who asks for it reads all counted orders of the shop for it, in few columns.',
    is_first_order     Nullable(Bool) COMMENT 'True for the first counted order of the customer: customer=new in GET /v1/orders. NULL without a customer.',
    gross_sales        Decimal(38, 6) COMMENT 'Prices of its lines before discounts. Over all orders that of daily_metrics.',
    discounts          Decimal(38, 6) COMMENT 'All its discounts, those of lines too. Over all orders those of daily_metrics.',
    revenue            Decimal(38, 6) COMMENT 'Total of the order before refunds.',
    refunds            Decimal(38, 6) COMMENT 'Its refunds, whatever their day.',
    refunded_units     Decimal(38, 6) COMMENT 'Units of lines that its refunds name, whatever their day. Over all orders units_refunded of daily_products.',
    cogs               Nullable(Decimal(38, 6)) COMMENT 'Product costs minus the cost of what was restocked; an unknown cost counts 0. NULL: over 10^31.',
    lines_without_cost UInt64 COMMENT 'Lines whose unit cost is unknown.',
    gateway_fees       Nullable(Decimal(38, 6)) COMMENT 'Actual fee or estimate by fee rule, minus fees that refunds gave back. NULL: over 10^31.',
    gateway_fees_by_rule Nullable(Decimal(38, 6)) COMMENT 'What the fee rule of its gateway gives, before refunds, where an actual fee counts too: compare both. NULL: no rule matches, or over 10^31.',
    payment_gateway    Nullable(String) COMMENT 'As in orders.',
    gateway            Nullable(String) COMMENT 'payment_gateway as fee rules compare it: group by this. NULL when not sent.',
    fee_source         String COMMENT 'actual, estimated, or none: no fee was sent and no rule matches.',
    profit             Nullable(Decimal(38, 6)) COMMENT 'revenue - refunds - cogs - gateway_fees. NULL: over 10^31.',
    taxes              Decimal(38, 6) COMMENT 'Tax minus refunded tax; what was not sent counts 0.',
    tax_known          Bool COMMENT 'True when the order says its tax.',
    fulfillment_cost   Nullable(Decimal(38, 6)) COMMENT 'What packing and shipping the order costs the shop; NULL when not sent.',
    earnings           Nullable(Decimal(38, 6)) COMMENT 'profit - taxes - fulfillment_cost, without expenses and ads. NULL: over 10^31.',
    channel            String COMMENT 'Channel of the last touch; unattributed without one.',
    campaign           Nullable(String) COMMENT 'Campaign of the last touch: its utm_campaign as sent, else the campaign id of the click; NULL without one. Its spend is in ad_spend, with the same channel as order_channel and the same campaign_id or campaign_name, in any case.',
    country            Nullable(String) COMMENT 'As in orders.',
    sales_channel      Nullable(String) COMMENT 'As in orders.',
    discount_codes     Array(String) COMMENT 'As in orders.',
    tags               Array(String) COMMENT 'As in orders.'
)
{definer}
AS WITH
    -- More than a Decimal(38, 6) holds, which no order means, is not shown: an amount must not fail the view.
    toInt256('10000000000000000000000000000000000000') AS most,
    -- Half away from zero. A division of 128 bits takes a small part of the time of one of 256, which is computed where it is needed alone.
    (n, d) -> if(
        abs(n) <= most,
        toInt256(intDiv(toInt128(n) + if(n < 0, -1, 1) * intDiv(d, 2), d)),
        intDiv(n + if(n < 0, -1, 1) * intDiv(d, 2), materialize(toInt256(d)))
    ) AS half_up,
    -- The digits of a Decimal(38, 6) as they are stored.
    n -> if(abs(n) > most, NULL, reinterpret(toInt128(n), 'Decimal(38, 6)')) AS money,
    x -> toInt256(reinterpret(x, 'Int128')) AS micros,
    100000000 AS e8,
    (SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}) AS shop_currency,
    (
        SELECT (
            groupArrayArray(rules.gateway),
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
    nullIf(f.customer_id, '') AS customer_id,
    f.customer_order_number,
    CAST(f.customer_order_number = 1, 'Nullable(Bool)') AS is_first_order,
    f.gross_sales,
    f.discounts,
    f.revenue,
    f.refunds,
    f.refunded_units,
    money(half_up(f.costs, e8)) AS cogs,
    f.lines_without_cost,
    money(half_up(f.fees, e8)) AS gateway_fees,
    if(f.rule = 0, NULL, money(half_up(f.fees_by_rule, e8))) AS gateway_fees_by_rule,
    nullIf(f.payment_gateway, '') AS payment_gateway,
    nullIf(f.gateway, '') AS gateway,
    multiIf(f.has_gateway_fee, 'actual', f.rule > 0, 'estimated', 'none') AS fee_source,
    money(half_up(f.gain, e8)) AS profit,
    f.taxes,
    f.tax_known,
    f.fulfillment_cost,
    money(half_up(f.gain - micros(f.taxes + ifNull(f.fulfillment_cost, toDecimal128(0, 6))) * e8, e8)) AS earnings,
    f.channel,
    nullIf(f.campaign, '') AS campaign,
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
        p.customer_id AS customer_id,
        p.customer_order_number AS customer_order_number,
        p.gross_sales AS gross_sales,
        p.discounts AS discounts,
        p.payment_gateway AS payment_gateway,
        p.gateway AS gateway,
        p.tax_known AS tax_known,
        p.revenue AS revenue,
        p.refunds AS refunds,
        p.refunded_units AS refunded_units,
        p.has_gateway_fee AS has_gateway_fee,
        if(p.gateway = '', toUInt64(0), indexOf(fee_rules.1, p.gateway)) AS rule,
        reinterpret(p.cogs, 'Int256') * 100 AS costs,
        micros(fee_rules.2[rule]) * micros(p.revenue) + micros(fee_rules.3[rule]) * e8 AS fees_by_rule,
        micros(p.gateway_fees) * e8 + if(p.has_gateway_fee, toInt256(0), fees_by_rule) AS fees,
        micros(p.revenue - p.refunds) * e8 - costs - fees AS gain,
        p.tax - p.tax_refunded AS taxes,
        p.fulfillment_cost AS fulfillment_cost,
        p.lines_without_cost AS lines_without_cost,
        if(empty(p.channel), 'unattributed', p.channel) AS channel,
        p.campaign AS campaign,
        p.country AS country,
        p.sales_channel AS sales_channel,
        p.discount_codes AS discount_codes,
        p.tags AS tags
    FROM
    (
        SELECT
            d.shop_id AS shop_id,
            d.day AS placed_day,
            d.order_id AS order_id,
            d.placed_at AS placed_at,
            d.customer_id AS customer_id,
            d.customer_order_number AS customer_order_number,
            d.gross_sales AS gross_sales,
            d.discounts AS discounts,
            toString(d.payment_gateway) AS payment_gateway,
            toString(d.gateway) AS gateway,
            d.orders_tax_present = 1 AS tax_known,
            d.has_gateway_fee AS has_gateway_fee,
            d.order_revenue AS revenue,
            d.order_refunds AS refunds,
            d.refunded_units AS refunded_units,
            d.order_gateway_fees AS gateway_fees,
            d.order_tax AS tax,
            d.order_tax_refunded AS tax_refunded,
            d.fulfillment_cost AS fulfillment_cost,
            d.order_cogs AS cogs,
            d.lines_without_cost AS lines_without_cost,
            toString(d.last_touch) AS channel,
            toString(d.last_campaign) AS campaign,
            d.country AS country,
            d.sales_channel AS sales_channel,
            d.discount_codes AS discount_codes,
            d.tags AS tags
        FROM {numbered order_facts} AS d
        WHERE d.is_listed AND d.status = 'paid' AND NOT d.is_test
    ) AS p
) AS f
COMMENT 'What each counted order brings, one row an order, as GET /v1/orders has it. Over all orders the sums of daily_metrics, but for ads and expenses.';
