-- Rounded as in daily_metrics. A row is the first version of a state, and ends where that of another state begins.
CREATE OR REPLACE VIEW bi.daily_metrics_history
(
    shop_id             String COMMENT 'Shop. A BI user sees its own alone.',
    day                 Date COMMENT 'Day in the time zone of the shop.',
    on_day              Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    currency            String COMMENT 'Currency of all amounts, ISO 4217.',
    part                String COMMENT 'orders or spend: what stood of a day are its rows of both parts.',
    valid_from          DateTime64(6, 'UTC') COMMENT 'Moment from which on this stood; 1970-01-01: as long as the past is kept.',
    valid_until         Nullable(DateTime64(6, 'UTC')) COMMENT 'Moment from which on it no longer did; NULL: it stands.',
    revenue             Decimal(38, 6) COMMENT 'Order revenue before refunds, on the day of the order.',
    refunds             Decimal(38, 6) COMMENT 'Money returned to customers, on the day of the refund.',
    net_revenue         Decimal(38, 6) COMMENT 'revenue - refunds.',
    orders              UInt64 COMMENT 'Orders that count: paid, no test, not deleted.',
    cogs                Decimal(38, 6) COMMENT 'Product costs minus the cost of restocked returns.',
    gateway_fees_actual Decimal(38, 6) COMMENT 'Payment fees that orders came with; no estimates.',
    ad_spend            Decimal(38, 6) COMMENT 'Ad spend in the shop currency; no expenses, and nothing that is converted.',
    orders_costed       UInt64 COMMENT 'Orders whose every line has a unit cost.',
    orders_fee_actual   UInt64 COMMENT 'Orders that came with an actual gateway fee.'
)
{definer}
AS WITH (SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}) AS shop_currency
SELECT
    h.shop_id,
    h.day,
    h.day AS on_day,
    ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS currency,
    toString(h.part) AS part,
    fromUnixTimestamp64Micro(toInt64(h.valid_from), 'UTC') AS valid_from,
    if(h.next_from = 0, NULL, fromUnixTimestamp64Micro(toInt64(h.next_from), 'UTC')) AS valid_until,
    toDecimal128(h.sums['revenue'], 6) AS revenue,
    toDecimal128(h.sums['refunds'], 6) AS refunds,
    revenue - refunds AS net_revenue,
    toUInt64(h.sums['orders']) AS orders,
    toDecimal128(least(greatest(round(h.sums['cogs'], 6), -toDecimal256('10000000000000000000000000000000', 6)), toDecimal256('10000000000000000000000000000000', 6)), 6) AS cogs,
    toDecimal128(h.sums['gateway_fees'], 6) AS gateway_fees_actual,
    arrayReduce('sum', arrayMap(
        (u, a) -> if(u = shop_currency, a, toDecimal128(0, 6)), h.spend.currency, h.spend.amount
    )) AS ad_spend,
    toUInt64(h.sums['orders_costed']) AS orders_costed,
    toUInt64(h.sums['orders_fee_actual']) AS orders_fee_actual
FROM
(
    SELECT v.*, leadInFrame(v.valid_from) OVER (
        PARTITION BY v.shop_id, v.day, v.part ORDER BY v.valid_from
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS next_from
    FROM
    (
        SELECT
            *,
            argMax(state, computed_at) OVER (versions ROWS UNBOUNDED PRECEDING) AS held,
            argMax(state, computed_at) OVER (versions ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS held_before
        FROM {database}.daily_orders_history {final}
        WINDOW versions AS (PARTITION BY shop_id, day, part ORDER BY valid_from)
    ) AS v
    WHERE v.held != v.held_before
) AS h
COMMENT 'What orders and ad spend of a day came to, and from when until when. As of a moment: WHERE valid_from <= t AND (valid_until IS NULL OR valid_until > t), summed over both parts. Without fee estimates, expenses and spend in other currencies, which are applied at reading. An amount over 10^31, which no order means, is shown as 10^31.';
