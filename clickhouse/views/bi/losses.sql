CREATE OR REPLACE VIEW bi.losses
(
    shop_id  String COMMENT 'Shop. A BI user sees its own alone.',
    day      Date COMMENT 'Local day of the orders.',
    on_day   Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    cause    String COMMENT 'Why no visit is credited: no_pixel, before_pixel, not_named, too_old, clock or bot, as in GET /v1/attribution?include=losses.',
    orders   UInt64 COMMENT 'Counted orders.',
    currency String COMMENT 'Currency of revenue, ISO 4217.',
    revenue  Decimal(38, 6) COMMENT 'Their revenue.'
)
{definer}
AS WITH
    {local_day},
    (SELECT groupUniqArray(local_day(received_at)) FROM {database}.ingest_log WHERE kind = 'events' AND accepted > 0) AS days
SELECT
    l.shop_id,
    l.day,
    l.day AS on_day,
    multiIf(
        l.stored != 'not_named' OR has(days, l.day), l.stored,
        notEmpty(days) AND l.day < arrayMin(days), 'before_pixel',
        'no_pixel'
    ) AS cause,
    l.orders,
    ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS currency,
    l.revenue
FROM
(
    SELECT d.shop_id AS shop_id, d.day AS day, toString(channel) AS stored, orders, toDecimal128(revenue, 6) AS revenue
    FROM {database}.daily_orders AS d {final}
    ARRAY JOIN d.credits.model AS model, d.credits.channel AS channel, d.credits.orders AS orders, d.credits.revenue AS revenue
    WHERE model = 'losses' AND orders != 0
) AS l
COMMENT 'Orders that no visit is credited with, one row a day and cause; with the channels of daily_channels that is all orders.';
