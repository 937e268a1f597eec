-- Exact figures. Money is summed in integers of 10^-14 (a percentage of money has 14 decimals); what is spread over days has
-- the denominator of its day: the days of its month x 7 x the days of its year, so thirds and sevenths stay exact. Each
-- figure is rounded once, half-up at the sixth decimal, from unrounded sums, like the API's.
CREATE OR REPLACE VIEW bi.daily_metrics {on_cluster}
(
    shop_id      String COMMENT 'Shop. A BI user sees its own alone.',
    day          Date COMMENT 'Day in the time zone of the shop.',
    currency     String COMMENT 'Currency of the shop, ISO 4217.',
    revenue      Decimal(38, 6) COMMENT 'Order revenue before refunds, on the day of the order.',
    refunds      Decimal(38, 6) COMMENT 'Money returned to customers, on the day of the refund.',
    net_revenue  Decimal(38, 6) COMMENT 'revenue - refunds.',
    orders       UInt64 COMMENT 'Orders that count: paid, no test, not deleted.',
    cogs         Decimal(38, 6) COMMENT 'Product costs minus the cost of restocked returns.',
    gateway_fees Decimal(38, 6) COMMENT 'Payment fees: actual ones, and estimates by fee rule for orders without.',
    ad_spend     Decimal(38, 6) COMMENT 'Ad spend in the shop currency, with expenses that count as such.',
    net_profit   Decimal(38, 6) COMMENT 'net_revenue - cogs - gateway_fees - ad_spend.',
    aov          Nullable(Decimal(38, 6)) COMMENT 'revenue / orders; NULL without orders.',
    mer          Nullable(Decimal(38, 6)) COMMENT 'ad_spend / revenue; NULL without revenue.',
    blended_roas Nullable(Decimal(38, 6)) COMMENT 'revenue / ad_spend; NULL without spend.'
)
{definer}
AS WITH
    (n, d) -> if(n < 0, toInt256(-1), toInt256(1)) * intDiv(2 * abs(n) + d, 2 * d) AS half_up,
    n -> toDecimal128(toDecimal256(n, 6) / 1000000, 6) AS micros
SELECT
    f.shop_id,
    f.day,
    (SELECT any(currency) FROM {database}.sources FINAL) AS currency,
    toDecimal128(f.revenue, 6) AS revenue,
    toDecimal128(f.refunds, 6) AS refunds,
    toDecimal128(f.revenue - f.refunds, 6) AS net_revenue,
    f.orders,
    micros(half_up(f.cogs, toInt256(100000000))) AS cogs,
    micros(half_up(f.fees, toInt256(100000000))) AS gateway_fees,
    micros(half_up(f.spend, f.parts * 100000000)) AS ad_spend,
    micros(half_up((toInt256((f.revenue - f.refunds) * 1000000) * 100000000 - f.cogs - f.fees) * f.parts - f.spend, f.parts * 100000000)) AS net_profit,
    if(f.orders = 0, NULL, micros(half_up(toInt256(f.revenue * 1000000), greatest(toInt256(f.orders), 1)))) AS aov,
    if(f.revenue = 0, NULL, micros(half_up(f.spend, f.parts * 100 * greatest(toInt256(f.revenue * 1000000), 1)))) AS mer,
    if(f.spend = 0, NULL, micros(half_up(toInt256(f.revenue * 1000000) * f.parts * 100000000000000, greatest(f.spend, 1)))) AS blended_roas
FROM
(
    SELECT
        c.shop_id AS shop_id,
        c.day AS day,
        toInt256(toDayOfMonth(toLastDayOfMonth(c.day))) * 7 * dateDiff('day', toDate32(toStartOfYear(c.day)), addYears(toDate32(toStartOfYear(c.day)), 1)) AS parts,
        sum(c.orders) AS orders,
        sum(c.revenue) AS revenue,
        sum(c.refunds) AS refunds,
        sum(c.cogs) AS cogs,
        sum(c.fees) AS fees,
        sum(c.spend) AS spend
    FROM
    (
        SELECT
            d.shop_id AS shop_id,
            d.day AS day,
            d.orders AS orders,
            toDecimal256(d.revenue, 6) AS revenue,
            toDecimal256(d.refunds, 6) AS refunds,
            toInt256(d.cogs * 1000000000000) * 100 AS cogs,
            toInt256(toDecimal256(d.gateway_fees, 6) * 1000000) * 100000000 AS fees,
            toInt256(0) AS spend
        FROM {database}.daily_orders AS d FINAL
    ) AS c
    GROUP BY c.shop_id, c.day
) AS f
COMMENT 'Every figure of the metrics object, one row a shop and day that has anything; equal to GET /v1/metrics/daily. Sum the money columns over days, and compute ratios from the sums.';
