-- Why days change: what was stored for which day, when and of which kind. A state of daily_orders_history names the reading that
-- last found it (`orders_at`, `computed_at`); what was stored from then until its end is why it ended. Only what may be of a day
-- that has ended somewhere is kept. A write that is repeated leaves a row more. Nothing replaces a row, so there is no version.
-- Natural key (shop_id, day, stored_at, kind); ordered by day and time, the way it is read.
CREATE TABLE IF NOT EXISTS day_causes
(
    shop_id   String,
    day       Date,
    stored_at UInt64 COMMENT 'microseconds since 1970' CODEC(Delta, ZSTD(3)),
    kind      LowCardinality(String) COMMENT 'late_order, edited_order, refund, deletion, order_cost, unit_cost or spend',
    items     UInt64,
    stamps    Array(UInt64) COMMENT 'arrival stamps of some of them, by which ingest_log knows the push' CODEC(ZSTD(3))
)
ENGINE = {engine}MergeTree
ORDER BY (shop_id, day, stored_at, kind)
TTL toDateTime(intDiv(stored_at, 1000000)) + toIntervalDay(400)
SETTINGS index_granularity = 1024;

-- The tombstone of a day that an order left is one below the version that left it (domain/orders). Its push is found by the
-- stamp of that version.
CREATE MATERIALIZED VIEW IF NOT EXISTS day_causes_of_orders TO day_causes AS
SELECT
    c.shop_id AS shop_id,
    c.day AS day,
    toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS stored_at,
    c.kind AS kind,
    count() AS items,
    groupUniqArray(20)(c.stamp) AS stamps
FROM
(
    SELECT
        d.shop_id AS shop_id,
        d.day AS day,
        toUInt64(bitAnd(d.version, toUInt128(18446744073709551615))) + d.is_deleted AS stamp,
        k.oldest > 0 AND k.oldest < d.version AS is_known,
        multiIf(
            d.is_deleted = 1, 'edited_order',
            d.day != d.placed_day, 'refund',
            NOT is_known, 'late_order',
            d.orders = 0, 'deletion',
            notEmpty(d.refund_list.refund_id), 'refund',
            'edited_order'
        ) AS kind
    FROM order_days AS d
    LEFT JOIN
    (
        SELECT shop_id, order_id, min(version) AS oldest
        FROM order_keys
        WHERE (shop_id, order_id) IN (SELECT shop_id, order_id FROM order_days WHERE day < toDate(now() + 50400))
        GROUP BY shop_id, order_id
    ) AS k ON k.shop_id = d.shop_id AND k.order_id = d.order_id
    -- A day ends first where clocks are 14 hours ahead.
    WHERE d.day < toDate(now() + 50400)
) AS c
GROUP BY c.shop_id, c.day, c.kind;

CREATE MATERIALIZED VIEW IF NOT EXISTS day_causes_of_spend TO day_causes AS
SELECT
    s.shop_id AS shop_id,
    s.event_date AS day,
    toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS stored_at,
    'spend' AS kind,
    count() AS items,
    groupUniqArray(20)(s.version) AS stamps
FROM ad_spend AS s
WHERE s.event_date < toDate(now() + 50400)
GROUP BY s.shop_id, s.event_date;

-- A spend of "0" without ids clears its day.
CREATE MATERIALIZED VIEW IF NOT EXISTS day_causes_of_clears TO day_causes AS
SELECT
    s.shop_id AS shop_id,
    s.event_date AS day,
    toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS stored_at,
    'spend' AS kind,
    count() AS items,
    groupUniqArray(20)(s.version) AS stamps
FROM ad_spend_clears AS s
WHERE s.event_date < toDate(now() + 50400)
GROUP BY s.shop_id, s.event_date;
