-- Browser events, as the collector cleaned them. Natural key (shop_id, event_id): of equal ids the first that arrived
-- stays (greatest precedence), whatever else differs, because a pixel token is public and may only append. Ordered by the
-- key, for that collapse; reads by visitor or by order go to the two indexes below. In all three tables a part goes as a whole once all of
-- it is too old, so that nothing is written again because of its age; partitions are months of arrival, the one time that no sender
-- chooses. A repeat may lie in a later month than its first, where merges never meet: only FINAL across partitions, the default, shows
-- one row. The retention is set at every start (400 days here).
-- The rules of channel and evidence are in pixel/README.md.
CREATE TABLE IF NOT EXISTS events
(
    shop_id          String,
    event_id         String,
    precedence       UInt64 COMMENT 'greater for what arrived earlier',
    type             LowCardinality(String),
    ts               DateTime64(3, 'UTC') COMMENT 'the visitor''s clock, never later than received_at',
    received_at      DateTime64(3, 'UTC'),
    anon_id          String,
    session_hint     String,
    consent          LowCardinality(String),
    order_id         String,
    checkout_token   String,
    sdk              LowCardinality(String),
    store_client_id  String,
    email_hash       String,
    product_id       String,
    sku              String,
    quantity         Nullable(Decimal(38, 6)) COMMENT 'null: not sent',
    url              String COMMENT 'without personal parameters',
    url_host         LowCardinality(String),
    url_path         String,
    referrer         String COMMENT 'origin and path',
    referrer_host    LowCardinality(String),
    referrer_class   LowCardinality(String),
    utm_source       String,
    utm_medium       String,
    utm_campaign     String,
    utm_term         String,
    utm_content      String,
    utm_id           String,
    click_ids        Nested
    (
        param   LowCardinality(String),
        network LowCardinality(String),
        value   String
    ),
    channel          LowCardinality(String),
    evidence         LowCardinality(String) DEFAULT 'ambiguous' COMMENT 'proved, claimed or ambiguous'
)
ENGINE = {engine}ReplacingMergeTree(precedence)
PARTITION BY toYYYYMM(received_at)
ORDER BY (shop_id, event_id)
TTL toDateTime(ts) + toIntervalDay(400)
SETTINGS ttl_only_drop_parts = 1;

-- Events by visitor, as much of them as sessions and touches need. Natural key (shop_id, anon_id, event_id); a visitor's
-- events lie together. `arrival` differs for two ads, two campaigns, two referring sites.
CREATE TABLE IF NOT EXISTS visitor_events
(
    shop_id    String,
    anon_id    String,
    event_id   String,
    precedence UInt64,
    ts         DateTime64(3, 'UTC'),
    received_at DateTime64(3, 'UTC') COMMENT 'ts is the word of the sender, this is not',
    type       LowCardinality(String),
    channel    LowCardinality(String),
    arrival    UInt64 COMMENT 'hash of channel, referrer host, campaign, its id and click ids',
    evidence   LowCardinality(String) DEFAULT 'ambiguous',
    page       UInt64 COMMENT 'hash of address and referrer: equal for the events of one page',
    url_host   LowCardinality(String) COMMENT 'without www.',
    bare_referrer LowCardinality(String) COMMENT 'host of an outside referrer, without www., where no campaign and no click id tells how the visitor came; else empty',
    is_sign_in Bool COMMENT 'bare_referrer is a site that signs visitors in',
    url_path      String,
    referrer_host LowCardinality(String),
    utm_source    String,
    utm_medium    String,
    utm_campaign  String,
    campaign_id   String COMMENT 'utm_id, else the id of a campaign in url; empty: none',
    utm_term      String,
    utm_content   String,
    order_id      String,
    -- A key may lie in a granule of every part; the filter tells in which of the months it does.
    INDEX by_visitor anon_id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = {engine}ReplacingMergeTree(precedence)
PARTITION BY toYYYYMM(received_at)
ORDER BY (shop_id, anon_id, event_id)
TTL toDateTime(ts) + toIntervalDay(400)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1;

-- What ties visitors to orders: every event that carries an order id or a checkout token, once under each thing it may be
-- asked by. Natural key (shop_id, subject, event_id); subject is v:<anon_id>, o:<order_id> or c:<checkout_token>.
CREATE TABLE IF NOT EXISTS event_links
(
    shop_id        String,
    subject        String,
    event_id       String,
    precedence     UInt64,
    ts             DateTime64(3, 'UTC'),
    received_at    DateTime64(3, 'UTC'),
    is_purchase    Bool,
    anon_id        String,
    order_id       String,
    checkout_token String,
    INDEX by_subject subject TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = {engine}ReplacingMergeTree(precedence)
PARTITION BY toYYYYMM(received_at)
ORDER BY (shop_id, subject, event_id)
TTL toDateTime(ts) + toIntervalDay(400)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1;

-- Which channels an order is credited to, by model. A row only where events of a visitor are tied to the order; without one
-- it is unattributed. Natural key (shop_id, placed_day, order_id), version: stamp taken before the events were read.
-- Kept apart from the events, so that credit outlives their retention. Ordered by the day of the order, as the rollup of a
-- day reads it; an order that moved leaves a row that nothing joins any more.
CREATE TABLE IF NOT EXISTS order_attribution
(
    shop_id     String,
    placed_day  Date,
    order_id    String,
    version     UInt64,
    last_touch  LowCardinality(String),
    first_touch LowCardinality(String),
    last_evidence  LowCardinality(String) DEFAULT 'ambiguous' COMMENT 'proved, claimed or ambiguous',
    first_evidence LowCardinality(String) DEFAULT 'ambiguous',
    last_campaign  LowCardinality(String) COMMENT 'of the touch, as it names it; empty: none',
    first_campaign LowCardinality(String),
    touches     UInt32 COMMENT 'what the touches of linear add up to',
    linear      Nested
    (
        channel  LowCardinality(String),
        evidence LowCardinality(String),
        campaign LowCardinality(String),
        touches  UInt32
    ) COMMENT 'an entry a channel, evidence and campaign; of more than 100 campaigns the newest, others are empty',
    loss        LowCardinality(String) COMMENT 'why it is unattributed: too_old, clock, bot or not_named; else empty',
    path        Nested
    (
        at       DateTime64(3, 'UTC'),
        channel  LowCardinality(String),
        evidence LowCardinality(String),
        event_id String,
        campaign LowCardinality(String)
    ) COMMENT 'the touches that linear credits, oldest first; of more than 1,000 the newest'
)
ENGINE = {engine}ReplacingMergeTree(version)
PARTITION BY toYear(placed_day)
ORDER BY (shop_id, placed_day, order_id)
SETTINGS index_granularity = 4096;
