-- Exact figures. Money is counted in integers of 10^-18, since money at a rate has 18 decimals; what is spread over days
-- has the denominator of its day, the days of its month x 7 x the days of its year, so that thirds and sevenths stay exact.
-- Each figure is rounded once, half-up at the sixth decimal, from unrounded sums, like the API's. A view sees one shop at a
-- time, so what a shop has once (currency, time zone, fee rules) comes in as a constant.
CREATE OR REPLACE VIEW bi.daily_metrics
(
    shop_id                   String COMMENT 'Shop. A BI user sees its own alone.',
    day                       Date COMMENT 'Day in the time zone of the shop, today at the latest, or the last one with an order, refund or ad spend.',
    on_day                    Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    currency                  String COMMENT 'Currency of the shop, ISO 4217.',
    revenue                   Decimal(38, 6) COMMENT 'Order revenue before refunds, on the day of the order.',
    refunds                   Decimal(38, 6) COMMENT 'Money returned to customers, on the day of the refund.',
    net_revenue               Decimal(38, 6) COMMENT 'revenue - refunds.',
    orders                    UInt64 COMMENT 'Orders that count: paid, no test, not deleted.',
    cogs                      Decimal(38, 6) COMMENT 'Product costs minus the cost of restocked returns.',
    gateway_fees              Decimal(38, 6) COMMENT 'Payment fees: actual ones, and estimates by fee rule for orders without.',
    ad_spend                  Decimal(38, 6) COMMENT 'Ad spend in the shop currency, with the expenses that count as such. Other currencies count at the rate of the day, else the newest of the seven days before, where the source converts (convert_spend); else they are left out: bi.ad_spend tells which.',
    net_profit                Decimal(38, 6) COMMENT 'net_revenue - cogs - gateway_fees - ad_spend.',
    aov                       Nullable(Decimal(38, 6)) COMMENT 'revenue / orders; NULL without orders.',
    mer                       Nullable(Decimal(38, 6)) COMMENT 'ad_spend / revenue; NULL without revenue.',
    blended_roas              Nullable(Decimal(38, 6)) COMMENT 'revenue / ad_spend; NULL without spend.',
    operating_expenses        Decimal(38, 6) COMMENT 'Accrued expenses that are not ad spend, other currencies as in ad_spend; a percentage of revenue in another currency never counts. Days to come have no row; the API accrues them where they are asked for.',
    net_profit_after_expenses Decimal(38, 6) COMMENT 'net_profit - operating_expenses.',
    orders_costed             UInt64 COMMENT 'Orders whose every line has a unit cost.',
    orders_fee_actual         UInt64 COMMENT 'Orders that came with an actual gateway fee.',
    orders_without_fee        UInt64 COMMENT 'Orders with neither an actual gateway fee nor a fee rule that matches: their fee counts as 0.',
    orders_tax_present        UInt64 COMMENT 'Orders that came with a tax.',
    orders_fulfillment_known  UInt64 COMMENT 'Orders whose fulfillment cost is known.',
    refunds_without_tax       UInt64 COMMENT 'Refunds of orders with tax that do not say theirs; it counts as 0.',
    products_without_cost     UInt64 COMMENT 'SKUs sold on lines without a unit cost; those without SKU are one. Of days only: a SKU may be of several.',
    revenue_without_cost      Decimal(38, 6) COMMENT 'Revenue of the orders that have a line without a unit cost; such a cost counts as 0.',
    gross_sales               Decimal(38, 6) COMMENT 'Sum of unit price x quantity, with the tax that prices include.',
    discounts                 Decimal(38, 6) COMMENT 'Discounts of lines and of whole orders.',
    shipping                  Decimal(38, 6) COMMENT 'What customers paid for shipping.',
    tips                      Decimal(38, 6) COMMENT 'Tips.',
    duties                    Decimal(38, 6) COMMENT 'Duties that customers paid.',
    rounding_adjustment       Decimal(38, 6) COMMENT 'What rounding added to totals.',
    tax_added                 Decimal(38, 6) COMMENT 'Tax that prices do not include. gross_sales - discounts + shipping + tips + duties + rounding_adjustment + tax_added = revenue.',
    tax                       Decimal(38, 6) COMMENT 'All tax, included or added, on the day of the order.',
    tax_refunded              Decimal(38, 6) COMMENT 'Tax in refunds, on the day of the refund.',
    taxes                     Decimal(38, 6) COMMENT 'tax - tax_refunded.',
    fulfillment_costs         Decimal(38, 6) COMMENT 'What packing and shipping cost the shop; an unknown cost counts as 0.',
    earnings                  Decimal(38, 6) COMMENT 'net_profit - taxes - fulfillment_costs - operating_expenses.'
)
{definer}
AS WITH
    (n, d) -> if(n < 0, toInt256(-1), toInt256(1)) * intDiv(2 * abs(n) + d, 2 * d) AS half_up,
    -- More than a Decimal(38, 6) holds, which no order means, is shown as this: an amount must not fail the view.
    toInt256('10000000000000000000000000000000000000') AS most,
    n -> toDecimal128(toDecimal256(least(greatest(n, -most), most), 6) / 1000000, 6) AS money,
    x -> toInt256(toDecimal256(x, 6) * 1000000) AS micros,
    {day_parts},
    toInt256(1000000000000) AS e12,
    d -> toInt256(toDecimal256(d, 12) * 1000000000000) AS trillionths,
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
    f.day,
    f.day AS on_day,
    shop_currency AS currency,
    money(f.revenue) AS revenue,
    money(f.refunds) AS refunds,
    money(f.revenue - f.refunds) AS net_revenue,
    f.orders,
    money(half_up(f.cogs, e12)) AS cogs,
    money(half_up(f.fees, e12)) AS gateway_fees,
    money(half_up(f.spend, f.parts * e12)) AS ad_spend,
    money(half_up(f.profit - f.spend, f.parts * e12)) AS net_profit,
    if(f.orders = 0, NULL, money(half_up(f.revenue, greatest(toInt256(f.orders), 1)))) AS aov,
    if(f.revenue = 0, NULL, money(half_up(f.spend, f.parts * 1000000 * greatest(f.revenue, 1)))) AS mer,
    if(f.spend = 0, NULL, money(half_up(f.revenue * f.parts * e12 * 1000000, greatest(f.spend, 1)))) AS blended_roas,
    money(half_up(f.expenses, f.parts * e12)) AS operating_expenses,
    money(half_up(f.profit - f.spend - f.expenses, f.parts * e12)) AS net_profit_after_expenses,
    f.orders_costed,
    f.orders_fee_actual,
    f.orders_without_fee,
    f.orders_tax_present,
    f.orders_fulfillment_known,
    f.refunds_without_tax,
    f.products_without_cost,
    money(f.revenue_without_cost) AS revenue_without_cost,
    money(f.statement[1]) AS gross_sales,
    money(f.statement[2]) AS discounts,
    money(f.statement[3]) AS shipping,
    money(f.statement[4]) AS tips,
    money(f.statement[5]) AS duties,
    money(f.statement[6]) AS rounding_adjustment,
    money(f.statement[7]) AS tax_added,
    money(f.statement[8]) AS tax,
    money(f.statement[9]) AS tax_refunded,
    money(f.statement[8] - f.statement[9]) AS taxes,
    money(f.statement[10]) AS fulfillment_costs,
    money(half_up(
        f.profit - f.spend - f.expenses - (f.statement[8] - f.statement[9] + f.statement[10]) * f.parts * e12,
        f.parts * e12
    )) AS earnings
FROM
(
    SELECT
        c.shop_id AS shop_id,
        c.day AS day,
        parts_of(c.day) AS parts,
        sum(c.orders) AS orders,
        sum(c.revenue) AS revenue,
        sum(c.refunds) AS refunds,
        sum(c.cogs) AS cogs,
        sum(c.fees) AS fees,
        ((revenue - refunds) * e12 - cogs - fees) * parts AS profit,
        sum(c.spend) AS spend,
        sum(c.expenses) AS expenses,
        sum(c.orders_costed) AS orders_costed,
        sum(c.orders_fee_actual) AS orders_fee_actual,
        sum(c.orders_without_fee) AS orders_without_fee,
        sum(c.orders_tax_present) AS orders_tax_present,
        sum(c.orders_fulfillment_known) AS orders_fulfillment_known,
        sum(c.refunds_without_tax) AS refunds_without_tax,
        sum(c.products_without_cost) AS products_without_cost,
        sum(c.revenue_without_cost) AS revenue_without_cost,
        sumForEach(c.statement) AS statement
    FROM
    (
        SELECT
            d.shop_id AS shop_id,
            d.day AS day,
            toUInt64(d.sums['orders']) AS orders,
            micros(d.sums['revenue']) AS revenue,
            micros(d.sums['refunds']) AS refunds,
            toInt256(d.sums['cogs'] * 1000000000000) * 1000000 AS cogs,
            micros(d.sums['gateway_fees']) * e12 + arrayReduce('sum', arrayMap(
                (g, n, r) -> micros(fee_rules.2[indexOf(fee_rules.1, g)]) * micros(r) * 10000
                    + micros(fee_rules.3[indexOf(fee_rules.1, g)]) * n * e12,
                d.estimable.payment_gateway, d.estimable.orders, d.estimable.revenue
            )) AS fees,
            arrayReduce('sum', arrayMap(
                (u, a) -> if(u = shop_currency, micros(a), toInt256(0)), d.spend.currency, d.spend.amount
            )) * e12 * parts_of(d.day) AS spend,
            toInt256(0) AS expenses,
            toUInt64(d.sums['orders_costed']) AS orders_costed,
            toUInt64(d.sums['orders_fee_actual']) AS orders_fee_actual,
            toUInt64(d.sums['orders'] - d.sums['orders_fee_actual'] - arrayReduce('sum', arrayMap(
                (g, n) -> if(has(fee_rules.1, g), n, 0), d.estimable.payment_gateway, d.estimable.orders
            ))) AS orders_without_fee,
            toUInt64(d.sums['orders_tax_present']) AS orders_tax_present,
            toUInt64(d.sums['orders_fulfillment_known']) AS orders_fulfillment_known,
            toUInt64(d.sums['refunds_without_tax']) AS refunds_without_tax,
            length(d.uncosted_skus) AS products_without_cost,
            micros(d.sums['revenue_uncosted']) AS revenue_without_cost,
            arrayMap(name -> micros(d.sums[name]), [
                'gross_sales', 'discounts', 'shipping', 'tips', 'duties', 'rounding_adjustment', 'tax_added', 'tax',
                'tax_refunded', 'fulfillment_costs'
            ]) AS statement
        FROM {database}.daily_orders AS d {final}
        UNION ALL
        SELECT
            e.shop_id AS shop_id,
            e.day AS day,
            toUInt64(0) AS orders,
            toInt256(0) AS revenue,
            toInt256(0) AS refunds,
            toInt256(0) AS cogs,
            toInt256(0) AS fees,
            if(e.counts_as_ad_spend, e.accrued, toInt256(0)) AS spend,
            if(e.counts_as_ad_spend, toInt256(0), e.accrued) AS expenses,
            toUInt64(0) AS orders_costed,
            toUInt64(0) AS orders_fee_actual,
            toUInt64(0) AS orders_without_fee,
            toUInt64(0) AS orders_tax_present,
            toUInt64(0) AS orders_fulfillment_known,
            toUInt64(0) AS refunds_without_tax,
            toUInt64(0) AS products_without_cost,
            toInt256(0) AS revenue_without_cost,
            CAST([], 'Array(Int256)') AS statement
        FROM
        (
            SELECT shop_id, day, counts_as_ad_spend, accrued FROM {accrued_expenses}
            UNION ALL
            SELECT
                s.shop_id AS shop_id,
                s.day AS day,
                true AS counts_as_ad_spend,
                micros(s.amount) * trillionths(r.rate) * parts_of(s.day) AS accrued
            FROM
            (
                SELECT d.shop_id AS shop_id, d.day AS day, toString(code) AS currency, amount
                FROM {database}.daily_orders AS d {final}
                ARRAY JOIN d.spend.currency AS code, d.spend.amount AS amount
                WHERE code != shop_currency
            ) AS s
            ASOF INNER JOIN {counting_rates} AS r ON s.shop_id = r.shop_id AND s.currency = r.currency AND s.day >= r.day
            WHERE s.day <= r.until
        ) AS e
    ) AS c
    GROUP BY c.shop_id, c.day
) AS f
COMMENT 'Every figure of the metrics object and of its statement, one row a shop and day that has anything; equal to GET /v1/metrics/daily. Days to come have no row, while GET /v1/metrics accrues the expenses of those that are asked for: expenses accrue up to today, or to the last day with an order, refund or ad spend. Sum the money columns over days, and compute ratios from the sums. An amount over 10^31, which no order means, is shown as 10^31.';
