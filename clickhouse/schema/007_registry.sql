-- Registered sources. Natural key shop_id, version: registration stamp, the newest write wins.
CREATE TABLE IF NOT EXISTS sources
(
    shop_id       String,
    platform      String,
    currency      LowCardinality(String),
    timezone      LowCardinality(String),
    shop_domain   String,
    conversion    String COMMENT 'JSON: how orders of its platform are converted; empty: by the defaults',
    own_hosts     Array(String) COMMENT 'further hosts of the shop; *. for subdomains',
    convert_spend Bool COMMENT 'whether spend and expenses in other currencies count at the rates of the shop',
    registered_at DateTime64(3, 'UTC'),
    locked_at     Nullable(DateTime64(3, 'UTC')) COMMENT 'time of the first accepted order',
    closed_at     Nullable(DateTime64(3, 'UTC')) COMMENT 'time when the operator closed the shop',
    version       UInt64,
    clock_starts  Array(Int64) COMMENT 'what the service knows of the time zone, for views: from when each offset holds, seconds since 1970; the first one from ever',
    clock_offsets Array(Int32) COMMENT 'seconds ahead of UTC'
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY shop_id;

-- API keys, by hash alone: the key itself is shown once and never stored. Natural key key_hash (SHA-256, hex), the only
-- way a key is looked up; version: stamp of the write.
CREATE TABLE IF NOT EXISTS api_keys
(
    key_hash   FixedString(64),
    key_id     String,
    shop_id    String,
    name       String DEFAULT '' COMMENT 'given by people; may be empty',
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

-- Webhooks of Shopify, one a shop. Natural key shop_id, version: stamp of the write. Secrets are sealed with a key that is not stored here.
CREATE TABLE IF NOT EXISTS shopify_hooks
(
    shop_id     String,
    hook_id     String COMMENT 'part of the address of the hook',
    shop_domain String,
    secret      String COMMENT 'sealed',
    old_secret  String COMMENT 'sealed; empty: none',
    old_until   Nullable(DateTime64(3, 'UTC')) COMMENT 'until when the old secret holds',
    version     UInt64,
    is_deleted  UInt8 DEFAULT 0
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY shop_id;

-- Which shop a BI user sees: the row filters of the views look up the signed-in user here, so only the service may write it.
-- Natural key user_name, version: milliseconds of the write, made increasing for each user. Ordered by the name, the only
-- way it is read.
CREATE TABLE IF NOT EXISTS bi_users
(
    user_name  String,
    shop_id    String,
    version    UInt64,
    is_deleted UInt8 DEFAULT 0
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY user_name
SETTINGS index_granularity = 256;
