-- Spend stands under each model, so that a model is complete by itself. The channel of expenses that count as ad spend is
-- "expenses", as in GET /v1/attribution. Figures are those of its report of one day, by the rules of src/domain/attribution: amounts are
-- summed in units of 10^-30 and brought to 10^-24, where equal parts of orders are equal again. A column that is not asked for is not
-- computed: so by windows, not by arrays.
CREATE OR REPLACE VIEW bi.daily_channels
(
    shop_id      String COMMENT 'Shop. A BI user sees its own alone.',
    day          Date COMMENT 'Local day: of orders their placed day, of refunds and spend their own.',
    on_day       Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    currency     String COMMENT 'Currency of all amounts, ISO 4217.',
    model        String COMMENT 'last_touch, first_touch or linear. Filter by one: each holds all orders and all spend.',
    channel      String COMMENT 'Channel; unattributed for orders without a known touch, expenses for expenses that are ad spend.',
    orders       Decimal(38, 6) COMMENT 'Orders credited; parts of orders with linear.',
    revenue      Decimal(38, 6) COMMENT 'Revenue credited.',
    refunds      Decimal(38, 6) COMMENT 'Refunds of the credited orders.',
    net_revenue  Decimal(38, 6) COMMENT 'revenue - refunds.',
    cogs         Nullable(Decimal(38, 6)) COMMENT 'Product costs of the credited orders minus those of what was restocked; an unknown cost counts 0. NULL: over 10^31.',
    gateway_fees Nullable(Decimal(38, 6)) COMMENT 'Gateway fees of the credited orders, actual or estimated, minus what refunds gave back. NULL: over 10^31.',
    ad_spend     Decimal(38, 6) COMMENT 'Ad spend of the channel in the shop currency; other currencies as in daily_metrics.',
    profit       Nullable(Decimal(38, 6)) COMMENT 'net_revenue - cogs - gateway_fees - ad_spend, rounded once. NULL: over 10^31.',
    proved_orders         Decimal(38, 6) COMMENT 'The part of orders that rests on proved touches: an ad click id that no other sign contradicts, or a known organic referrer.',
    proved_revenue        Decimal(38, 6) COMMENT 'Their revenue.',
    proved_net_revenue    Decimal(38, 6) COMMENT 'Their revenue less their refunds.',
    claimed_orders        Decimal(38, 6) COMMENT 'The part of orders that rests on touches of which campaign parameters alone say where they came from.',
    claimed_revenue       Decimal(38, 6) COMMENT 'Their revenue.',
    claimed_net_revenue   Decimal(38, 6) COMMENT 'Their revenue less their refunds.',
    ambiguous_orders      Decimal(38, 6) COMMENT 'The rest: touches without a sign, or with signs that contradict each other; of unattributed all of it.',
    ambiguous_revenue     Decimal(38, 6) COMMENT 'Their revenue.',
    ambiguous_net_revenue Decimal(38, 6) COMMENT 'Their revenue less their refunds.'
)
{definer}
AS WITH
    toInt256(1000000) AS e6,
    toInt256('1000000000000000000') AS e18,
    toInt256('1000000000000000000000000') AS e24,
    -- More than a Decimal(38, 6) holds, which no order means, is not shown: an amount must not fail the view.
    toInt256('10000000000000000000000000000000000000') AS most,
    x -> toInt256(toDecimal256(x, 6) * 1000000) AS micros,
    (n, d) -> if(n < 0, toInt256(-1), toInt256(1)) * intDiv(2 * abs(n) + d, 2 * d) AS half_up,
    (n, parts) -> intDiv(n + parts - 1, toInt256(parts)) AS part,
    n -> intDiv(n, e18) - if(n < 0 AND n % e18 != 0, 1, 0) AS below,
    -- Of the rows of a day and model: rounded down, and a millionth more for those that lost most, until the sum is right.
    (n, channel, shop_id, day, model) -> below(n) + if(
        row_number() OVER (PARTITION BY shop_id, day, model ORDER BY below(n) * e18 - n, channel)
            <= half_up(half_up(sum(n) OVER (PARTITION BY shop_id, day, model), toInt256(1000)), toInt256(1000000000000000))
                - sum(below(n)) OVER (PARTITION BY shop_id, day, model),
        1,
        0
    ) AS apportioned,
    -- A part of what was rounded to `rounded`: never more than it.
    (part_of, exact, rounded) -> if(part_of = exact, rounded, least(half_up(part_of, e18), rounded)) AS within,
    n -> toDecimal128(toDecimal256(n, 6) / 1000000, 6) AS money,
    n -> if(abs(n) > most, NULL, money(least(greatest(n, -most), most))) AS shown,
    (
        SELECT (
            groupArrayArray(rules.gateway),
            groupArrayArray(rules.percent),
            groupArrayArray(rules.fixed)
        )
        FROM {database}.gateway_fee_rules {final}
    ) AS fee_rules,
    {day_parts}
SELECT
    f.shop_id,
    f.day,
    f.day AS on_day,
    ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS currency,
    f.model,
    f.channel,
    money(f.orders) AS orders,
    money(f.revenue) AS revenue,
    money(f.refunds) AS refunds,
    money(f.revenue - f.refunds) AS net_revenue,
    shown(f.cogs) AS cogs,
    shown(f.fees) AS gateway_fees,
    money(f.spend) AS ad_spend,
    shown(f.profit) AS profit,
    money(f.proved_orders) AS proved_orders,
    money(f.proved_revenue) AS proved_revenue,
    money(f.proved_revenue - f.proved_refunds) AS proved_net_revenue,
    money(f.signed_orders - f.proved_orders) AS claimed_orders,
    money(f.signed_revenue - f.proved_revenue) AS claimed_revenue,
    money(f.signed_revenue - f.proved_revenue - f.signed_refunds + f.proved_refunds) AS claimed_net_revenue,
    money(f.orders - f.signed_orders) AS ambiguous_orders,
    money(f.revenue - f.signed_revenue) AS ambiguous_revenue,
    money(f.revenue - f.signed_revenue - f.refunds + f.signed_refunds) AS ambiguous_net_revenue
FROM
(
    SELECT
        c.shop_id AS shop_id,
        c.day AS day,
        c.model AS model,
        c.channel AS channel,
        apportioned(c.orders, c.channel, c.shop_id, c.day, c.model) AS orders,
        apportioned(c.revenue, c.channel, c.shop_id, c.day, c.model) AS revenue,
        apportioned(c.refunds, c.channel, c.shop_id, c.day, c.model) AS refunds,
        apportioned(c.cogs, c.channel, c.shop_id, c.day, c.model) AS cogs,
        apportioned(c.fees, c.channel, c.shop_id, c.day, c.model) AS fees,
        apportioned(c.spend, c.channel, c.shop_id, c.day, c.model) AS spend,
        apportioned(c.profit, c.channel, c.shop_id, c.day, c.model) AS profit,
        within(c.proved_orders, c.orders, orders) AS proved_orders,
        within(c.proved_revenue, c.revenue, revenue) AS proved_revenue,
        within(c.proved_refunds, c.refunds, refunds) AS proved_refunds,
        within(c.signed_orders, c.orders, orders) AS signed_orders,
        within(c.signed_revenue, c.revenue, revenue) AS signed_revenue,
        within(c.signed_refunds, c.refunds, refunds) AS signed_refunds
    FROM
    (
        SELECT
            e.shop_id AS shop_id,
            e.day AS day,
            e.model AS model,
            e.channel AS channel,
            half_up(sum(e.orders), e6) AS orders,
            half_up(sum(e.revenue), e6) AS revenue,
            half_up(sum(e.refunds), e6) AS refunds,
            half_up(sum(e.cogs), e6) AS cogs,
            half_up(sum(e.fees), e6) AS fees,
            half_up(sum(e.spend), e6) AS spend,
            half_up(sum(e.revenue - e.refunds - e.cogs - e.fees - e.spend), e6) AS profit,
            half_up(sumIf(e.orders, e.evidence = 'proved'), e6) AS proved_orders,
            half_up(sumIf(e.revenue, e.evidence = 'proved'), e6) AS proved_revenue,
            half_up(sumIf(e.refunds, e.evidence = 'proved'), e6) AS proved_refunds,
            half_up(sumIf(e.orders, e.evidence != 'ambiguous'), e6) AS signed_orders,
            half_up(sumIf(e.revenue, e.evidence != 'ambiguous'), e6) AS signed_revenue,
            half_up(sumIf(e.refunds, e.evidence != 'ambiguous'), e6) AS signed_refunds
        FROM
        (
            SELECT
                d.shop_id AS shop_id,
                d.day AS day,
                toString(model) AS model,
                toString(channel) AS channel,
                toString(evidence) AS evidence,
                part(toInt256(weighted_orders) * e24 * e6, parts) AS orders,
                part(micros(weighted_revenue) * e24, parts) AS revenue,
                part(micros(weighted_refunds) * e24, parts) AS refunds,
                part(toInt256(weighted_cogs * 1000000000000) * e18, parts) AS cogs,
                part(
                    micros(weighted_fees) * e24
                        + micros(fee_rules.2[indexOf(fee_rules.1, gateway)]) * micros(weighted_revenue) * 10000000000000000
                        + micros(fee_rules.3[indexOf(fee_rules.1, gateway)]) * weighted_orders * e24,
                    parts
                ) AS fees,
                toInt256(0) AS spend
            FROM {database}.daily_orders AS d {final}
            ARRAY JOIN
                d.credits.model AS model,
                d.credits.channel AS channel,
                d.credits.evidence AS evidence,
                d.credits.parts AS parts,
                d.credits.payment_gateway AS gateway,
                d.credits.orders AS weighted_orders,
                d.credits.revenue AS weighted_revenue,
                d.credits.refunds AS weighted_refunds,
                d.credits.gateway_fees AS weighted_fees,
                d.credits.cogs AS weighted_cogs
            WHERE model != 'losses'
            UNION ALL
            SELECT
                s.shop_id AS shop_id,
                s.day AS day,
                arrayJoin(['last_touch', 'first_touch', 'linear']) AS model,
                s.channel AS channel,
                'ambiguous' AS evidence,
                toInt256(0) AS orders,
                toInt256(0) AS revenue,
                toInt256(0) AS refunds,
                toInt256(0) AS cogs,
                toInt256(0) AS fees,
                s.spend AS spend
            FROM
            (
                SELECT
                    shop_id,
                    day,
                    order_channel AS channel,
                    micros(spend) * if(rate IS NULL, e24, toInt256(toDecimal256(ifNull(rate, 0), 12) * 1000000000000) * 1000000000000) AS spend
                FROM bi.ad_spend
                WHERE in_figures
                UNION ALL
                SELECT
                    x.shop_id AS shop_id,
                    x.day AS day,
                    'expenses' AS channel,
                    half_up(x.accrued * 1000000000000, parts_of(x.day)) AS spend
                FROM {accrued_expenses} AS x
                WHERE x.counts_as_ad_spend AND x.accrued != 0
            ) AS s
        ) AS e
        GROUP BY e.shop_id, e.day, e.model, e.channel
    ) AS c
) AS f
COMMENT 'Orders, revenue, refunds and costs credited to channels, beside their ad spend; one row a shop, day, model and channel, equal to GET /v1/attribution of that day. The figures of a day and model add up to daily_metrics. Of a day with more than 1,000 channels the API tells the least together.';
