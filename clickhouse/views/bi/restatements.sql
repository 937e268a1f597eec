-- A change is what two states of a history in turn differ by. What was stored for the day from the last reading of the figures of
-- before until then is why.
CREATE OR REPLACE VIEW bi.restatements
(
    shop_id String COMMENT 'Shop. A BI user sees its own alone.',
    day     Date COMMENT 'Day whose figure changed, in the time zone of the shop.',
    on_day  Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    currency String COMMENT 'Currency of all amounts, ISO 4217.',
    figure  String COMMENT 'revenue, refunds, net_revenue, orders, cogs, gateway_fees_actual or ad_spend.',
    before  Decimal(38, 6) COMMENT 'What it was.',
    after   Decimal(38, 6) COMMENT 'What it became.',
    at      DateTime64(6, 'UTC') COMMENT 'Moment from which on it was so.',
    causes  Array(String) COMMENT 'Kinds of what was stored for the day: late_order, edited_order, refund, deletion, clock, order_cost, unit_cost, spend; rebuild where nothing was.'
)
{definer}
AS WITH
    {local_day},
    (SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}) AS shop_currency
SELECT
    r.shop_id,
    r.day,
    r.day AS on_day,
    ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS currency,
    r.change.1 AS figure,
    r.change.2 AS before,
    r.change.3 AS after,
    fromUnixTimestamp64Micro(toInt64(r.at), 'UTC') AS at,
    if(
        empty(arrayFilter(
            c -> c.1 <= r.at AND (c.2 = 'spend') = (r.part = 'spend')
                AND c.1 > r.read_before,
            k.causes
        ) AS own),
        ['rebuild'],
        arraySort(arrayDistinct(own.2))
    ) AS causes
FROM
(
    SELECT
        s.shop_id AS shop_id,
        s.day AS day,
        s.part AS part,
        s.valid_from AS at,
        s.read_before AS read_before,
        arrayJoin(arrayFilter(c -> c.2 != c.3, arrayZip(
            ['revenue', 'refunds', 'net_revenue', 'orders', 'cogs', 'gateway_fees_actual', 'ad_spend'],
            -- Before the first state all are 0.
            arrayResize(s.figures_before, length(s.figures)),
            s.figures
        ))) AS change
    FROM
    (
        SELECT
            h.shop_id AS shop_id,
            h.day AS day,
            h.part AS part,
            h.valid_from AS valid_from,
            [
                toDecimal128(h.sums['revenue'], 6),
                toDecimal128(h.sums['refunds'], 6),
                toDecimal128(h.sums['revenue'] - h.sums['refunds'], 6),
                toDecimal128(h.sums['orders'], 6),
                toDecimal128(least(greatest(round(h.sums['cogs'], 6), -toDecimal256('10000000000000000000000000000000', 6)), toDecimal256('10000000000000000000000000000000', 6)), 6),
                toDecimal128(h.sums['gateway_fees'], 6),
                toDecimal128(arrayReduce('sum', arrayMap(
                    (u, a) -> if(u = shop_currency, a, toDecimal128(0, 6)), h.spend.currency, h.spend.amount
                )), 6)
            ] AS figures,
            lagInFrame(figures) OVER states AS figures_before,
            lagInFrame(h.read_at) OVER states AS read_before
        FROM
        (
            SELECT *, max(computed_at) OVER (
                PARTITION BY shop_id, day, part ORDER BY valid_from ROWS UNBOUNDED PRECEDING
            ) AS newest
            FROM {database}.daily_orders_history {final}
        ) AS h
        WHERE h.computed_at = h.newest
        WINDOW states AS (
            PARTITION BY h.shop_id, h.day, h.part ORDER BY h.valid_from ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        )
    ) AS s
    WHERE at > 0 AND local_day(toDateTime(intDiv(at, 1000000), 'UTC')) > s.day
) AS r
LEFT JOIN
(
    SELECT c.shop_id AS shop_id, c.day AS day, groupArray((c.stored_at, toString(c.kind))) AS causes
    FROM {database}.day_causes AS c
    GROUP BY c.shop_id, c.day
) AS k ON k.shop_id = r.shop_id AND k.day = r.day
COMMENT 'Every change of a figure of a day that was over, one row a change: what orders and ad spend come to. Without fee estimates, expenses and spend in other currencies, which are applied at reading; GET /v1/restatements tells theirs too. after - before summed up to a moment is what the figure was then. An amount over 10^31, which no order means, is shown as 10^31.';
