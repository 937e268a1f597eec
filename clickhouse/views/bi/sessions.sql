-- The rule of src/domain/attribution/sessions.ts: a session begins after 30 idle minutes, and with an event from outside that came in
-- another way than the visitor last came. The last way is that of the newest event from outside since the last idle break.
CREATE OR REPLACE VIEW bi.sessions
(
    shop_id    String COMMENT 'Shop. A BI user sees its own alone.',
    anon_id    String COMMENT 'Visitor.',
    session    UInt64 COMMENT 'Number of the session among those of the visitor that are kept, from 1.',
    started_at DateTime64(3, 'UTC') COMMENT 'First event, UTC.',
    ended_at   DateTime64(3, 'UTC') COMMENT 'Last event, UTC.',
    day        Date COMMENT 'Day of started_at in the time zone of the shop.',
    channel    String COMMENT 'Channel of the event that began the session: the touch that attribution credits.',
    events     UInt64 COMMENT 'Events of the session.',
    page_views UInt64 COMMENT 'Page views of the session.',
    purchases  UInt64 COMMENT 'Purchase events of the session.',
    evidence   String COMMENT 'How sure the channel is: proved, claimed by campaign parameters, or ambiguous.'
)
{definer}
AS SELECT
    s.shop_id AS shop_id,
    s.anon_id AS anon_id,
    s.session AS session,
    min(s.ts) AS started_at,
    max(s.ts) AS ended_at,
    toDate(started_at, (SELECT if(count() = 0, 'UTC', any(timezone)) FROM {database}.sources {final})) AS day,
    argMin(s.channel, (s.ts, s.channel, s.arrival, s.evidence)) AS channel,
    count() AS events,
    countIf(s.type = 'page_view') AS page_views,
    countIf(s.type = 'purchase') AS purchases,
    argMin(s.evidence, (s.ts, s.channel, s.arrival, s.evidence)) AS evidence
FROM
(
    SELECT
        w.shop_id AS shop_id, w.anon_id AS anon_id, w.ts AS ts, w.channel AS channel, w.arrival AS arrival, w.type AS type,
        w.evidence AS evidence,
        sum(w.idle OR (w.outside AND (isNull(w.way) OR w.way != w.arrival)))
            OVER (PARTITION BY w.shop_id, w.anon_id ORDER BY w.ts, w.channel, w.arrival, w.event_id ROWS UNBOUNDED PRECEDING) AS session
    FROM
    (
        SELECT
            b.shop_id AS shop_id, b.anon_id AS anon_id, b.event_id AS event_id, b.ts AS ts, b.channel AS channel,
            b.arrival AS arrival, b.type AS type, b.evidence AS evidence, b.idle AS idle, b.outside AS outside,
            anyLast(if(b.outside, b.arrival, NULL)) OVER (
                PARTITION BY b.shop_id, b.anon_id, b.block ORDER BY b.ts, b.channel, b.arrival, b.event_id
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS way
        FROM
        (
            SELECT
                i.shop_id AS shop_id, i.anon_id AS anon_id, i.event_id AS event_id, i.ts AS ts, i.channel AS channel,
                i.arrival AS arrival, i.type AS type, i.evidence AS evidence, i.idle AS idle,
                i.channel NOT IN ('direct', 'internal') AS outside,
                sum(i.idle) OVER (
                    PARTITION BY i.shop_id, i.anon_id ORDER BY i.ts, i.channel, i.arrival, i.event_id
                    ROWS UNBOUNDED PRECEDING
                ) AS block
            FROM
            (
                SELECT
                    v.shop_id AS shop_id, v.anon_id AS anon_id, v.event_id AS event_id, v.ts AS ts, v.channel AS channel,
                    v.arrival AS arrival, v.type AS type, v.evidence AS evidence,
                    toUnixTimestamp64Milli(v.ts) - lagInFrame(toUnixTimestamp64Milli(v.ts), 1, toInt64(-10000000000)) OVER (
                        PARTITION BY v.shop_id, v.anon_id ORDER BY v.ts, v.channel, v.arrival, v.event_id
                        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
                    ) > 1800000 AS idle
                FROM
                (
                    SELECT shop_id, anon_id, event_id, ts, toString(channel) AS channel, toString(arrival) AS arrival,
                        toString(type) AS type, toString(evidence) AS evidence
                    FROM {database}.visitor_events {final}
                ) AS v
            ) AS i
        ) AS b
    ) AS w
) AS s
GROUP BY s.shop_id, s.anon_id, s.session
COMMENT 'Visits, one row a visitor and session, by the rule that attribution goes by.';
