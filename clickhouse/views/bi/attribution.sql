CREATE OR REPLACE VIEW bi.attribution
(
    shop_id    String COMMENT 'Shop. A BI user sees its own alone.',
    order_id   String COMMENT 'Counted order.',
    placed_day Date COMMENT 'Local day of the order. Filter by it, and join by it and order_id: orders are stored by day.',
    currency   String COMMENT 'Currency of all amounts, ISO 4217.',
    model      String COMMENT 'last_touch, first_touch or linear. Filter by one: each gives every order once.',
    channel    String COMMENT 'Channel that is credited; unattributed when no touch is known.',
    touches    UInt32 COMMENT 'Touches of the channel; the share of the order is touches / of_touches, exact.',
    of_touches UInt32 COMMENT 'Touches of all channels that the model credits.',
    total      Decimal(38, 6) COMMENT 'Total of the whole order.',
    revenue    Decimal(38, 6) COMMENT 'total x touches / of_touches, rounded half-up at the sixth decimal.',
    proved_touches UInt32 COMMENT 'Those of touches that are proved: an ad click id that no other sign contradicts, or a known organic referrer.',
    proved_revenue Decimal(38, 6) COMMENT 'total x proved_touches / of_touches, rounded half-up at the sixth decimal.'
)
{definer}
AS WITH
    (total, touches, of_touches) -> toDecimal128(toDecimal256(intDiv(
        2 * toInt256(toDecimal256(total, 6) * 1000000) * touches + of_touches,
        toInt256(2) * of_touches
    ), 6) / 1000000, 6) AS part
SELECT
    o.shop_id,
    o.order_id,
    o.placed_day,
    ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS currency,
    credit.1 AS model,
    credit.2 AS channel,
    credit.3 AS touches,
    credit.4 AS of_touches,
    o.revenue AS total,
    part(o.revenue, credit.3, credit.4) AS revenue,
    credit.5 AS proved_touches,
    part(o.revenue, credit.5, credit.4) AS proved_revenue
FROM
(
    SELECT d.shop_id AS shop_id, d.order_id AS order_id, d.day AS placed_day, d.revenue AS revenue
    FROM {database}.order_days AS d {final}
    WHERE d.orders = 1 AND d.day = d.placed_day
) AS o
LEFT JOIN
(
    SELECT
        a.shop_id AS shop_id,
        a.placed_day AS placed_day,
        a.order_id AS order_id,
        arrayConcat(
            [('last_touch', toString(a.last_touch), toUInt32(1), toUInt32(1), toUInt32(a.last_evidence = 'proved'))],
            [('first_touch', toString(a.first_touch), toUInt32(1), toUInt32(1), toUInt32(a.first_evidence = 'proved'))],
            arrayMap(
                c -> (
                    'linear', toString(c),
                    toUInt32(arraySum((o, n) -> if(o = c, n, 0), a.linear.channel, a.linear.touches)), a.touches,
                    toUInt32(arraySum(
                        (o, e, n) -> if(o = c AND e = 'proved', n, 0),
                        a.linear.channel, a.linear.evidence, a.linear.touches
                    ))
                ),
                arrayDistinct(a.linear.channel)
            )
        ) AS credits
    FROM {database}.order_attribution AS a {final}
) AS t ON o.shop_id = t.shop_id AND o.placed_day = t.placed_day AND o.order_id = t.order_id
ARRAY JOIN if(
    empty(t.credits),
    arrayMap(m -> (m, 'unattributed', toUInt32(1), toUInt32(1), toUInt32(0)), ['last_touch', 'first_touch', 'linear']),
    t.credits
) AS credit
COMMENT 'Which channels counted orders are credited to, one row an order, model and channel.';
