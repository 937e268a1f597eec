-- Spend stands under each model, so that a model is complete by itself. The channel of expenses that count as ad spend is
-- "expenses", as in GET /v1/attribution: what daily_metrics has beyond the pushed spend. Parts of orders are summed in units
-- of 10^-30, each rounded up, which is closer than any half of a millionth can lie to a sum of such parts.
CREATE OR REPLACE VIEW bi.daily_channels
(
    shop_id     String COMMENT 'Shop. A BI user sees its own alone.',
    day         Date COMMENT 'Local day: of orders their placed day, of refunds and spend their own.',
    on_day      Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    currency    String COMMENT 'Currency of all amounts, ISO 4217.',
    model       String COMMENT 'last_touch, first_touch or linear. Filter by one: each holds all orders and all spend.',
    channel     String COMMENT 'Channel; unattributed for orders without a known touch, expenses for expenses that are ad spend.',
    orders      Decimal(38, 6) COMMENT 'Orders credited; parts of orders with linear.',
    revenue     Decimal(38, 6) COMMENT 'Revenue credited.',
    refunds     Decimal(38, 6) COMMENT 'Refunds of the credited orders.',
    net_revenue Decimal(38, 6) COMMENT 'revenue - refunds.',
    ad_spend    Decimal(38, 6) COMMENT 'Ad spend of the channel in the shop currency.',
    proved_orders      Decimal(38, 6) COMMENT 'The part of orders that rests on proved touches: an ad click id that no other sign contradicts, or a known organic referrer.',
    proved_revenue     Decimal(38, 6) COMMENT 'Their revenue.',
    proved_net_revenue Decimal(38, 6) COMMENT 'Their revenue less their refunds.'
)
{definer}
AS WITH
    toInt256('1000000000000000000000000') AS e24,
    (x, parts) -> intDiv(toInt256(toDecimal256(x, 6) * 1000000) * e24 + parts - 1, toInt256(parts)) AS part,
    n -> toDecimal128(toDecimal256(intDiv(2 * n + e24, 2 * e24), 6) / 1000000, 6) AS money
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
    money(f.revenue) - money(f.refunds) AS net_revenue,
    f.spend AS ad_spend,
    money(f.proved_orders) AS proved_orders,
    money(f.proved_revenue) AS proved_revenue,
    money(f.proved_revenue) - money(f.proved_refunds) AS proved_net_revenue
FROM
(
    SELECT
        c.shop_id AS shop_id,
        c.day AS day,
        c.model AS model,
        c.channel AS channel,
        sum(c.orders) AS orders,
        sum(c.revenue) AS revenue,
        sum(c.refunds) AS refunds,
        sum(c.spend) AS spend,
        sum(c.proved_orders) AS proved_orders,
        sum(c.proved_revenue) AS proved_revenue,
        sum(c.proved_refunds) AS proved_refunds
    FROM
    (
        SELECT
            d.shop_id AS shop_id,
            d.day AS day,
            toString(model) AS model,
            toString(channel) AS channel,
            part(weighted_orders, parts) AS orders,
            part(weighted_revenue, parts) AS revenue,
            part(weighted_refunds, parts) AS refunds,
            toDecimal128(0, 6) AS spend,
            if(evidence = 'proved', part(weighted_orders, parts), toInt256(0)) AS proved_orders,
            if(evidence = 'proved', part(weighted_revenue, parts), toInt256(0)) AS proved_revenue,
            if(evidence = 'proved', part(weighted_refunds, parts), toInt256(0)) AS proved_refunds
        FROM {database}.daily_orders AS d {final}
        ARRAY JOIN
            d.credits.model AS model,
            d.credits.channel AS channel,
            d.credits.evidence AS evidence,
            d.credits.parts AS parts,
            d.credits.orders AS weighted_orders,
            d.credits.revenue AS weighted_revenue,
            d.credits.refunds AS weighted_refunds
        WHERE model != 'losses'
        UNION ALL
        SELECT
            s.shop_id AS shop_id,
            s.day AS day,
            arrayJoin(['last_touch', 'first_touch', 'linear']) AS model,
            s.channel AS channel,
            toInt256(0) AS orders,
            toInt256(0) AS revenue,
            toInt256(0) AS refunds,
            s.spend AS spend,
            toInt256(0) AS proved_orders,
            toInt256(0) AS proved_revenue,
            toInt256(0) AS proved_refunds
        FROM
        (
            SELECT shop_id, day, order_channel AS channel, spend
            FROM bi.ad_spend
            WHERE in_figures
            UNION ALL
            SELECT e.shop_id AS shop_id, e.day AS day, 'expenses' AS channel, sum(e.amount) AS spend
            FROM
            (
                SELECT shop_id, day, ad_spend AS amount
                FROM bi.daily_metrics
                UNION ALL
                SELECT shop_id, day, -spend AS amount
                FROM bi.ad_spend
                WHERE in_figures
            ) AS e
            GROUP BY e.shop_id, e.day
        ) AS s
    ) AS c
    GROUP BY c.shop_id, c.day, c.model, c.channel
) AS f
WHERE f.orders != 0 OR f.revenue != 0 OR f.refunds != 0 OR f.spend != 0
COMMENT 'Orders, revenue and refunds credited to channels, beside their ad spend; one row a shop, day, model and channel. The figures of a day and model add up to daily_metrics, but for the rounding of linear.';
