-- Who may use the app. These tables belong to the installation and to no shop: `place` is always empty, so that all their rows are on one
-- shard. Natural key person_id, version: stamp of the write. A removed person leaves a row without name and password.
CREATE TABLE IF NOT EXISTS people
(
    place         LowCardinality(String),
    person_id     String,
    name          String,
    role          LowCardinality(String),
    all_shops     Bool COMMENT 'also those that are made later; `shops` is empty then',
    shops         Array(String),
    password      String COMMENT 'scrypt: parameters, salt and hash; empty: none was chosen yet',
    invitation    String COMMENT 'SHA-256 of the code of the invitation that is open, hex; empty: none is',
    invited_by    String,
    invited_until Nullable(DateTime64(3, 'UTC')),
    created_at    DateTime64(3, 'UTC'),
    version       UInt64,
    is_deleted    UInt8 DEFAULT 0
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY person_id
SETTINGS index_granularity = 256;

-- Links that show some figures of a shop to whom they are handed over. Natural key token_hash (SHA-256, hex), the only way a link is
-- looked up; version: stamp of the write. Gone some time after they are over.
CREATE TABLE IF NOT EXISTS share_links
(
    place      LowCardinality(String),
    token_hash FixedString(64),
    link_id    String,
    shop       String,
    from_day   String,
    to_day     String,
    made_by    String,
    created_at DateTime64(3, 'UTC'),
    expires_at DateTime64(3, 'UTC'),
    ended_at   Nullable(DateTime64(3, 'UTC')),
    version    UInt64
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY token_hash
TTL toDateTime(expires_at) + INTERVAL 30 DAY
SETTINGS index_granularity = 256;

-- Who did what in the app; only added to. Natural key (at, entry_id): a retried write brings the same row again, which is merged.
-- Ordered by time, the way it is listed; kept 400 days and dropped by whole months.
CREATE TABLE IF NOT EXISTS access_log
(
    place     LowCardinality(String),
    at        DateTime64(3, 'UTC'),
    entry_id  String,
    person_id String COMMENT 'empty: the operator',
    name      String COMMENT 'of the person at that time',
    what      String COMMENT 'a sentence without its subject',
    shop      String COMMENT 'empty: of no shop'
)
ENGINE = {engine}ReplacingMergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (at, entry_id)
TTL toDateTime(at) + INTERVAL 400 DAY
SETTINGS ttl_only_drop_parts = 1;
