-- What the pushes of an hour brought, of hours that are over: counters of the ingest status, so that it reads some thousand rows
-- and not every push of 30 days. An hour is counted from the ingest log as a whole, each push once however often it was
-- written, and again when a push of it comes late: nothing is ever added up, so that no repeat counts twice.
-- Natural key (shop_id, kind, hour), version counted_at, a stamp of before the log was read: of two counts the later one has
-- read all that the earlier one read. Ordered by shop, kind and time, the way windows are read; kept as long as the log.
-- The row of no shop and no kind with the greatest hour says until when all hours are counted. It stands in the same table,
-- after the counters that it speaks of: no copy of the table has the one without the others.
CREATE TABLE IF NOT EXISTS push_hours {on_cluster}
(
    shop_id    String,
    kind       LowCardinality(String),
    hour       DateTime('UTC') COMMENT 'its beginning',
    counted_at UInt64,
    accepted   UInt64,
    rejected   UInt64,
    superseded UInt64,
    first_at   DateTime64(3, 'UTC') COMMENT 'first push of which something was accepted; means nothing where accepted is 0',
    last_at    DateTime64(3, 'UTC'),
    errors     Nested
    (
        code   LowCardinality(String),
        count  UInt64,
        newest Tuple(received_at DateTime64(3, 'UTC'), batch_id String, sample String)
    )
)
ENGINE = {engine}ReplacingMergeTree(counted_at)
PARTITION BY toYYYYMM(hour)
ORDER BY (shop_id, kind, hour)
TTL hour + INTERVAL 400 DAY;

-- Granules of a shop with many pushes hold few moments: counting an hour of all shops passes over the others.
ALTER TABLE ingest_log {on_cluster}
    ADD INDEX IF NOT EXISTS moments (received_at) TYPE minmax GRANULARITY 1;
