-- How sure the channel of an event is: proved, claimed or ambiguous (the rules stand in pixel/README.md). What was stored
-- before nobody has judged: it is ambiguous, and gives no proved credit, until `rollups rebuild` has read it anew.
ALTER TABLE events {on_cluster}
    ADD COLUMN IF NOT EXISTS evidence LowCardinality(String) DEFAULT 'ambiguous' COMMENT 'proved, claimed or ambiguous';

ALTER TABLE visitor_events {on_cluster}
    ADD COLUMN IF NOT EXISTS evidence LowCardinality(String) DEFAULT 'ambiguous';

ALTER TABLE visitor_events_feed {on_cluster} MODIFY QUERY
SELECT
    shop_id,
    anon_id,
    event_id,
    precedence,
    ts,
    type,
    channel,
    evidence,
    cityHash64(
        channel, referrer_host, utm_source, utm_medium, utm_campaign, utm_term, utm_content, utm_id,
        click_ids.param, click_ids.value
    ) AS arrival
FROM events;

-- The part of the credit that rests on proved touches: of the one touch, or of those of the channel.
ALTER TABLE order_attribution {on_cluster}
    ADD COLUMN IF NOT EXISTS last_proved Bool DEFAULT false,
    ADD COLUMN IF NOT EXISTS first_proved Bool DEFAULT false,
    ADD COLUMN IF NOT EXISTS `linear.proved` Array(UInt32) COMMENT 'those of touches that are proved';

ALTER TABLE daily_channels {on_cluster}
    ADD COLUMN IF NOT EXISTS `credits.proved_orders` Array(UInt64) COMMENT 'as orders, times the proved parts alone',
    ADD COLUMN IF NOT EXISTS `credits.proved_revenue` Array(Decimal(38, 6)),
    ADD COLUMN IF NOT EXISTS `credits.proved_refunds` Array(Decimal(38, 6));

ALTER TABLE daily_channels_rebuild {on_cluster} MODIFY QUERY
WITH
    days AS
    (
        SELECT
            d.shop_id AS shop_id,
            d.day AS day,
            d.order_id AS order_id,
            d.placed_day AS placed_day,
            d.orders AS orders,
            d.revenue AS revenue,
            d.refunds AS refunds
        FROM order_days AS d FINAL
        WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM rollup_requests)
    ),
    attributed AS
    (
        SELECT
            a.shop_id AS shop_id,
            a.placed_day AS placed_day,
            a.order_id AS order_id,
            arrayConcat(
                [('last_touch', toString(a.last_touch), toUInt32(1), toUInt32(1), toUInt32(a.last_proved))],
                [('first_touch', toString(a.first_touch), toUInt32(1), toUInt32(1), toUInt32(a.first_proved))],
                arrayMap(
                    (c, n, p) -> ('linear', toString(c), n, a.touches, p),
                    a.linear.channel, a.linear.touches, a.linear.proved
                )
            ) AS credits
        FROM order_attribution AS a FINAL
        WHERE (a.shop_id, a.placed_day) IN (SELECT shop_id, placed_day FROM days)
    ),
    credited AS
    (
        SELECT
            o.shop_id AS shop_id,
            o.day AS day,
            o.orders AS orders,
            o.revenue AS revenue,
            o.refunds AS refunds,
            arrayJoin(
                if(
                    empty(t.credits),
                    arrayMap(
                        m -> (m, 'unattributed', toUInt32(1), toUInt32(1), toUInt32(0)),
                        ['last_touch', 'first_touch', 'linear']
                    ),
                    t.credits
                )
            ) AS credit
        FROM days AS o
        LEFT JOIN attributed AS t ON o.shop_id = t.shop_id AND o.placed_day = t.placed_day AND o.order_id = t.order_id
    ),
    sums AS
    (
        SELECT
            c.shop_id AS shop_id,
            c.day AS day,
            c.credit.1 AS model,
            c.credit.2 AS channel,
            c.credit.4 AS parts,
            sum(c.orders * c.credit.3) AS orders,
            sum(c.revenue * c.credit.3) AS revenue,
            sum(c.refunds * c.credit.3) AS refunds,
            sum(c.orders * c.credit.5) AS proved_orders,
            sum(c.revenue * c.credit.5) AS proved_revenue,
            sum(c.refunds * c.credit.5) AS proved_refunds
        FROM credited AS c
        GROUP BY c.shop_id, c.day, model, channel, parts
    )
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    r.computed_at AS computed_at,
    s.model AS `credits.model`,
    s.channel AS `credits.channel`,
    s.parts AS `credits.parts`,
    s.orders AS `credits.orders`,
    s.revenue AS `credits.revenue`,
    s.refunds AS `credits.refunds`,
    s.proved_orders AS `credits.proved_orders`,
    s.proved_revenue AS `credits.proved_revenue`,
    s.proved_refunds AS `credits.proved_refunds`
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM rollup_requests GROUP BY shop_id, day) AS r
LEFT JOIN
(
    SELECT
        g.shop_id AS shop_id,
        g.day AS day,
        groupArray(g.model) AS model,
        groupArray(g.channel) AS channel,
        groupArray(g.parts) AS parts,
        groupArray(g.orders) AS orders,
        groupArray(g.revenue) AS revenue,
        groupArray(g.refunds) AS refunds,
        groupArray(g.proved_orders) AS proved_orders,
        groupArray(g.proved_revenue) AS proved_revenue,
        groupArray(g.proved_refunds) AS proved_refunds
    FROM sums AS g
    WHERE g.orders != 0 OR g.revenue != 0 OR g.refunds != 0
    GROUP BY g.shop_id, g.day
) AS s ON r.shop_id = s.shop_id AND r.day = s.day;
