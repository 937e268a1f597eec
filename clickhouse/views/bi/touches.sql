CREATE OR REPLACE VIEW bi.touches
(
    shop_id     String COMMENT 'Shop. A BI user sees its own alone.',
    order_id    String COMMENT 'Counted order.',
    placed_day  Date COMMENT 'Local day of the order. Filter by it, and join by it and order_id: orders are stored by day.',
    number      UInt32 COMMENT 'Number of the touch, from 1, the oldest first.',
    of_touches  UInt32 COMMENT 'Touches of the order that linear credits: each gets as much of it.',
    occurred_at DateTime64(3, 'UTC') COMMENT 'When the visit began, UTC.',
    channel     String COMMENT 'Channel that the visitor came by.',
    evidence    String COMMENT 'How sure the channel is: proved, claimed by campaign parameters, or ambiguous.',
    campaign    Nullable(String) COMMENT 'Campaign of the visit: its utm_campaign as sent, else the campaign id of the click; NULL without one. Its spend is in ad_spend, with the same channel as order_channel and the same campaign_id or campaign_name, in any case.',
    event_id    String COMMENT 'Event with which the visit began: bi.events has its page, until it is as old as events are kept.',
    is_first    Bool COMMENT 'True for the touch that first_touch credits.',
    is_last     Bool COMMENT 'True for the touch that last_touch credits.'
)
{definer}
AS SELECT
    a.shop_id,
    a.order_id,
    a.placed_day,
    toUInt32(touch.6 + a.touches - length(a.path.at)) AS number,
    a.touches AS of_touches,
    touch.1 AS occurred_at,
    toString(touch.2) AS channel,
    toString(touch.3) AS evidence,
    nullIf(toString(touch.5), '') AS campaign,
    touch.4 AS event_id,
    number = 1 AS is_first,
    number = a.touches AS is_last
FROM {database}.order_attribution AS a {final}
ARRAY JOIN arrayZip(a.path.at, a.path.channel, a.path.evidence, a.path.event_id, a.path.campaign, arrayEnumerate(a.path.at)) AS touch
WHERE (a.placed_day, a.order_id) IN (
    SELECT d.placed_day, d.order_id FROM {database}.order_days AS d {final} WHERE d.orders = 1 AND d.day = d.placed_day
)
COMMENT 'The visits that counted orders are credited to, one row an order and visit; of an order with more than 1,000 the newest.';
