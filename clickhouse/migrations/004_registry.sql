-- Registered sources. Natural key shop_id, version: registration stamp, the newest write wins.
CREATE TABLE IF NOT EXISTS sources {on_cluster}
(
    shop_id       String,
    platform      String,
    currency      LowCardinality(String),
    timezone      LowCardinality(String),
    shop_domain   String,
    registered_at DateTime64(3, 'UTC'),
    locked_at     Nullable(DateTime64(3, 'UTC')) COMMENT 'time of the first accepted order',
    closed_at     Nullable(DateTime64(3, 'UTC')) COMMENT 'time when the operator closed the shop',
    version       UInt64
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY shop_id;

-- API keys, by hash alone: the key itself is shown once and never stored. Natural key key_hash (SHA-256, hex), the only
-- way a key is looked up; version: stamp of the write.
CREATE TABLE IF NOT EXISTS api_keys {on_cluster}
(
    key_hash   FixedString(64),
    key_id     String,
    shop_id    String,
    kind       LowCardinality(String),
    scopes     Array(LowCardinality(String)),
    prefix     String COMMENT 'shown in lists, with last_four',
    last_four  String,
    created_at DateTime64(3, 'UTC'),
    expires_at Nullable(DateTime64(3, 'UTC')),
    revoked_at Nullable(DateTime64(3, 'UTC')),
    version    UInt64
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY key_hash;

-- What every push brought: one row a request. Natural key batch_id, given by the API before the push is queued, so that a
-- retried write counts once. Ordered by shop, kind and time, the way windows are read; kept 400 days.
CREATE TABLE IF NOT EXISTS ingest_log {on_cluster}
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
    )
)
ENGINE = {engine}ReplacingMergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (shop_id, kind, received_at, batch_id)
TTL toDateTime(received_at) + INTERVAL 400 DAY;
