-- Rejected items as they were sent, for whoever has to mend them. Natural key (batch_id, position): a retried write brings the
-- same rows again, which are merged; nothing ever replaces one, so there is no version column. Ordered by shop and time, the
-- way they are listed; kept 7 days and dropped by whole days.
CREATE TABLE IF NOT EXISTS rejections {on_cluster}
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
