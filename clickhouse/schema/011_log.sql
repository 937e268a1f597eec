-- What every push brought: one row a request. Natural key batch_id, given by the API before the push is queued, so that a
-- retried write counts once. Ordered by shop, kind and time, the way windows are read; kept 400 days and dropped by whole months.
-- The arrival stamps say which push wrote a row: a row of `orders` has its stamp in the lower half of its version. Stamps
-- follow the time of arrival, so a granule holds few of them, and few moments: the indexes find the one push of a stamp, and
-- the pushes of an hour over all shops.
CREATE TABLE IF NOT EXISTS ingest_log
(
    shop_id     String,
    kind        LowCardinality(String),
    received_at DateTime64(3, 'UTC'),
    batch_id    String,
    accepted    UInt32,
    rejected    UInt32,
    superseded  UInt32,
    errors      Nested
    (
        code   LowCardinality(String),
        count  UInt32,
        sample String
    ),
    first_stamp UInt64 COMMENT 'first of the arrival stamps of its items; 0: none was accepted, or not kept',
    last_stamp  UInt64,
    key_last4   String COMMENT 'last four characters of the API key',
    request_id  String,
    ms          UInt32 COMMENT 'from the arrival of the request until its items were checked',
    INDEX stamps (first_stamp, last_stamp) TYPE minmax GRANULARITY 1,
    INDEX moments (received_at) TYPE minmax GRANULARITY 1
)
ENGINE = {engine}ReplacingMergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (shop_id, kind, received_at, batch_id)
TTL toDateTime(received_at) + INTERVAL 400 DAY
SETTINGS ttl_only_drop_parts = 1;

-- What the pushes of an hour brought, of hours that are over: counters of the ingest status, so that it reads some thousand rows
-- and not every push of 30 days. An hour is counted from the ingest log as a whole, each push once however often it was
-- written, and again when a push of it comes late: nothing is ever added up, so that no repeat counts twice.
-- Natural key (shop_id, kind, hour), version counted_at, a stamp of before the log was read: of two counts the later one has
-- read all that the earlier one read. Ordered by shop, kind and time, the way windows are read; kept as long as the log.
-- The row of no shop and no kind with the greatest hour says until when all hours are counted. It is in the same table,
-- after the counters that it speaks of: no copy of the table has the one without the others.
CREATE TABLE IF NOT EXISTS push_hours
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
TTL hour + INTERVAL 400 DAY
SETTINGS ttl_only_drop_parts = 1;

-- Rejected items as they were sent, for the people who mend them. Natural key (batch_id, position): a retried write brings the
-- same rows again, which are merged; nothing ever replaces one, so there is no version column. Ordered by shop and time, the
-- way they are listed; kept 7 days and dropped by whole days.
CREATE TABLE IF NOT EXISTS rejections
(
    shop_id     String,
    received_at DateTime64(3, 'UTC'),
    batch_id    String,
    position    UInt32 COMMENT 'place of the item in its push',
    kind        LowCardinality(String),
    item_id     Nullable(String) COMMENT 'id as supplied; null: none was',
    codes       Array(LowCardinality(String)),
    errors      String COMMENT 'JSON list',
    payload     String COMMENT 'JSON object without personal data; empty: not kept',
    is_cut      Bool COMMENT 'payload or errors are not whole',
    key_last4   String,
    request_id  String
)
ENGINE = {engine}ReplacingMergeTree
PARTITION BY toDate(received_at)
ORDER BY (shop_id, received_at, batch_id, position)
TTL toDateTime(received_at) + INTERVAL 7 DAY
SETTINGS ttl_only_drop_parts = 1;
