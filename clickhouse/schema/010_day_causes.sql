-- Why days change: what was stored for which day, when and of which kind. A version of daily_orders_history says when it was
-- read (`read_at`); what was stored from then until the next one, if that is of another state, is why it is. Only what may be of a day
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
