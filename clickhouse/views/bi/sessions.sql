-- The rule of src/domain/attribution/sessions.ts: a session begins after 30 idle minutes, and with an event from outside that came in
-- another way than the visitor last came. The last way is that of the newest event from outside since the last idle break.
-- A return, from paying or from a host of the shop, is no arrival: it counts as internal. Rows of visitors are kept by visitor and id: one
-- that sent the id of another one's event has a row of no event.
CREATE OR REPLACE VIEW bi.sessions
(
    shop_id       String COMMENT 'Shop. A BI user sees its own alone.',
    anon_id       String COMMENT 'Visitor.',
    session       UInt64 COMMENT 'Number of the session among those of the visitor that are kept, from 1.',
    started_at    DateTime64(3, 'UTC') COMMENT 'First event, UTC.',
    ended_at      DateTime64(3, 'UTC') COMMENT 'Last event, UTC.',
    day           Date COMMENT 'Day of started_at in the time zone of the shop.',
    on_day        Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    channel       String COMMENT 'Channel of the event that began the session: the touch that attribution credits.',
    events        UInt64 COMMENT 'Events of the session.',
    page_views    UInt64 COMMENT 'Page views of the session.',
    purchases     UInt64 COMMENT 'Purchase events of the session.',
    evidence      String COMMENT 'How sure the channel is: proved, claimed by campaign parameters, or ambiguous.',
    landing_host  String COMMENT 'Host of the first page, without www.',
    landing_path  String COMMENT 'Path of the first page.',
    referrer_host String COMMENT 'Host of the referring page; empty for none.',
    utm_source    String COMMENT 'utm_source of the first page; empty for none.',
    utm_medium    String COMMENT 'utm_medium; empty for none.',
    utm_campaign  String COMMENT 'utm_campaign; empty for none.',
    utm_term      String COMMENT 'utm_term; empty for none.',
    utm_content   String COMMENT 'utm_content; empty for none.',
    order_id      Nullable(String) COMMENT 'Order that a purchase event of the session names, the last one; NULL: none.'
)
{definer}
AS WITH
    {local_day}
SELECT
    s.shop_id AS shop_id,
    s.anon_id AS anon_id,
    s.session AS session,
    min(s.ts) AS started_at,
    max(s.ts) AS ended_at,
    local_day(started_at) AS day,
    day AS on_day,
    argMin(s.channel, s.position) AS channel,
    count() AS events,
    countIf(s.type = 'page_view') AS page_views,
    countIf(s.type = 'purchase') AS purchases,
    argMin(s.evidence, s.position) AS evidence,
    argMin(s.url_host, s.position) AS landing_host,
    argMin(s.url_path, s.position) AS landing_path,
    argMin(s.referrer_host, s.position) AS referrer_host,
    argMin(s.utm_source, s.position) AS utm_source,
    argMin(s.utm_medium, s.position) AS utm_medium,
    argMin(s.utm_campaign, s.position) AS utm_campaign,
    argMin(s.utm_term, s.position) AS utm_term,
    argMin(s.utm_content, s.position) AS utm_content,
    nullIf(argMaxIf(s.order_id, s.position, s.type = 'purchase' AND s.order_id != ''), '') AS order_id
FROM
(
    SELECT
        w.*,
        sum(w.idle OR (w.outside AND (isNull(w.way) OR w.way != w.arrival)))
            OVER (PARTITION BY w.shop_id, w.anon_id ORDER BY w.position ROWS UNBOUNDED PRECEDING) AS session
    FROM
    (
        SELECT
            b.*,
            anyLast(if(b.outside, b.arrival, NULL)) OVER (
                PARTITION BY b.shop_id, b.anon_id, b.block ORDER BY b.position
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS way
        FROM
        (
            SELECT
                i.* EXCEPT (channel, evidence),
                i.is_return OR (i.is_sign_in AND NOT i.idle) AS back,
                if(back, 'internal', i.channel) AS channel, if(back, 'ambiguous', i.evidence) AS evidence,
                channel NOT IN ('direct', 'internal') AS outside,
                sum(i.idle) OVER (PARTITION BY i.shop_id, i.anon_id ORDER BY i.position ROWS UNBOUNDED PRECEDING) AS block
            FROM
            (
                SELECT
                    v.*,
                    (v.ts, v.channel, v.arrival, v.evidence, v.event_id) AS position,
                    v.ms - lagInFrame(v.ms, 1, toInt64(-10000000000)) OVER (
                        PARTITION BY v.shop_id, v.anon_id ORDER BY v.ts, v.channel, v.arrival, v.evidence, v.event_id
                        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
                    ) > 1800000 AS idle,
                    v.bare_referrer != '' AND (
                        has(groupUniqArray(v.url_host) OVER (PARTITION BY v.shop_id, v.anon_id), v.bare_referrer)
                        OR v.ms - maxIf(v.ms, v.type = 'begin_checkout') OVER (
                            PARTITION BY v.shop_id, v.anon_id ORDER BY v.ms RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                        ) <= 1800000
                        OR (
                            countIf(v.type = 'purchase') OVER (PARTITION BY v.shop_id, v.anon_id, v.page) > 0
                            AND countIf(v.type IN ('product_view', 'add_to_cart', 'begin_checkout'))
                                OVER (PARTITION BY v.shop_id, v.anon_id, v.page) = 0
                        )
                    ) AS is_return
                FROM
                (
                    SELECT shop_id, anon_id, event_id, ts, toUnixTimestamp64Milli(ts) AS ms, toString(channel) AS channel,
                        toString(arrival) AS arrival, toString(type) AS type, toString(evidence) AS evidence, page,
                        toString(url_host) AS url_host, toString(bare_referrer) AS bare_referrer, is_sign_in,
                        url_path, toString(referrer_host) AS referrer_host, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
                        order_id
                    FROM {database}.visitor_events {final}
                    WHERE sipHash64(anon_id, event_id) IN (
                        SELECT sipHash64(e.anon_id, e.event_id) FROM {database}.events AS e {final}
                    )
                ) AS v
            ) AS i
        ) AS b
    ) AS w
) AS s
GROUP BY s.shop_id, s.anon_id, s.session
COMMENT 'Visits, one row a visitor and session, by the rule that attribution goes by.';
