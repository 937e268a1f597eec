-- Of what a shop wants alerts. Natural key (shop_id, kind), version: stamp of the write.
CREATE TABLE IF NOT EXISTS alert_rules
(
    shop_id   String,
    kind      LowCardinality(String),
    is_on     Bool,
    threshold String COMMENT 'hours, percent or an amount, by kind',
    on_since  Nullable(DateTime64(3, 'UTC')) COMMENT 'nothing from before is reported',
    version   UInt64
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY (shop_id, kind);

-- Where alerts of a shop are sent. Natural key shop_id, version: stamp of the write. The secret is sealed with a key that is not stored here.
CREATE TABLE IF NOT EXISTS alert_webhooks
(
    shop_id    String,
    url        String,
    secret     String COMMENT 'sealed',
    version    UInt64,
    is_deleted UInt8 DEFAULT 0
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY shop_id;

-- Alerts that were raised. Natural key (shop_id, alert_id), version: stamp of the write; `since` never changes. Written by the worker alone.
CREATE TABLE IF NOT EXISTS alerts
(
    shop_id   String,
    alert_id  String,
    kind      LowCardinality(String),
    day       String COMMENT 'YYYY-MM-DD that it is about; empty: none',
    measured  String,
    threshold String COMMENT 'that held when it was raised',
    since     DateTime64(3, 'UTC'),
    ended_at  Nullable(DateTime64(3, 'UTC')),
    delivery  LowCardinality(String) COMMENT 'none, waiting, sent or failed',
    attempts  UInt8,
    next_at   Nullable(DateTime64(3, 'UTC')) COMMENT 'of the next attempt, while it waits',
    problem   String COMMENT 'of the last attempt; empty: none',
    version   UInt64
)
ENGINE = {engine}ReplacingMergeTree(version)
PARTITION BY toYYYYMM(since)
ORDER BY (shop_id, alert_id)
TTL toDateTime(since) + INTERVAL 400 DAY
SETTINGS ttl_only_drop_parts = 1;
