-- Pushed ad spend. Natural key (shop_id, event_date, channel, currency, campaign_id, adset_id, ad_id), an id that was not
-- given is empty; version: arrival stamp, the newest push of a key wins. Ordered by day, the way it is summed. A row counts
-- only unless ad_spend_clears holds a newer stamp for its day. Not partitioned: it is small, and one push may reach over
-- more years than an insert may reach over partitions.
CREATE TABLE IF NOT EXISTS ad_spend {on_cluster}
(
    shop_id          String,
    event_date       Date,
    channel          LowCardinality(String) COMMENT 'custom:<slug>',
    currency         LowCardinality(String) COMMENT 'the account of the channel',
    campaign_id      String,
    adset_id         String,
    ad_id            String,
    campaign_name    String,
    adset_name       String,
    ad_name          String,
    spend            Decimal(38, 6),
    impressions      Nullable(UInt64),
    clicks           Nullable(UInt64),
    conversions      Nullable(Float64),
    conversion_value Nullable(Decimal(38, 6)),
    version          UInt64,
    order_channel    LowCardinality(String) COMMENT 'the channel of orders that the spend belongs to'
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY (shop_id, event_date, channel, currency, campaign_id, adset_id, ad_id)
SETTINGS index_granularity = 1024;

-- Days that a spend of "0" without ids has cleared: whatever of the day's rows has an older stamp counts no more, whether it
-- is stored already or comes later. Natural key (shop_id, event_date, channel, currency), version: arrival stamp.
CREATE TABLE IF NOT EXISTS ad_spend_clears {on_cluster}
(
    shop_id    String,
    event_date Date,
    channel    LowCardinality(String),
    currency   LowCardinality(String),
    version    UInt64
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY (shop_id, event_date, channel, currency)
SETTINGS index_granularity = 1024;

-- The trigger of the spend rollup, apart from that of the orders because neither needs the other. To rebuild by hand:
--   INSERT INTO spend_rollup_requests SELECT DISTINCT shop_id, event_date, toUnixTimestamp64Micro(now64(6)) FROM ad_spend WHERE …
CREATE TABLE IF NOT EXISTS spend_rollup_requests {on_cluster}
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken before the rebuild reads'
)
ENGINE = Null;

-- The spend of a day by channel and currency, as part 'spend' of the day's figures.
CREATE MATERIALIZED VIEW IF NOT EXISTS daily_spend_rebuild {on_cluster} TO daily_orders AS
SELECT
    r.shop_id AS shop_id,
    r.day AS day,
    'spend' AS part,
    r.computed_at AS computed_at,
    t.channels AS `spend.channel`,
    t.currencies AS `spend.currency`,
    t.amounts AS `spend.amount`
FROM (SELECT shop_id, day, max(computed_at) AS computed_at FROM spend_rollup_requests GROUP BY shop_id, day) AS r
LEFT JOIN
(
    SELECT
        b.shop_id AS shop_id,
        b.event_date AS day,
        groupArray(b.channel) AS channels,
        groupArray(b.currency) AS currencies,
        groupArray(b.amount) AS amounts
    FROM
    (
        SELECT s.shop_id AS shop_id, s.event_date AS event_date, toString(s.channel) AS channel,
            toString(s.currency) AS currency, sumIf(s.spend, s.version >= c.version) AS amount
        FROM
        (
            SELECT a.shop_id AS shop_id, a.event_date AS event_date, a.channel AS channel, a.currency AS currency,
                a.spend AS spend, a.version AS version
            FROM ad_spend AS a FINAL
            WHERE (a.shop_id, a.event_date) IN (SELECT shop_id, day FROM spend_rollup_requests)
        ) AS s
        LEFT JOIN
        (
            SELECT k.shop_id AS shop_id, k.event_date AS event_date, k.channel AS channel, k.currency AS currency,
                max(k.version) AS version
            FROM ad_spend_clears AS k
            WHERE (k.shop_id, k.event_date) IN (SELECT shop_id, day FROM spend_rollup_requests)
            GROUP BY k.shop_id, k.event_date, k.channel, k.currency
        ) AS c
            ON s.shop_id = c.shop_id AND s.event_date = c.event_date AND s.channel = c.channel AND s.currency = c.currency
        GROUP BY s.shop_id, s.event_date, s.channel, s.currency
    ) AS b
    GROUP BY b.shop_id, b.event_date
) AS t
    ON t.shop_id = r.shop_id AND t.day = r.day;

-- Browser events, as the collector cleaned them. Natural key (shop_id, event_id): of equal ids the first that arrived
-- stays (greatest precedence), whatever else differs, because a pixel token is public and may only append. Ordered by the
-- key, for that collapse; reads by visitor or by order go to the two indexes below. Not partitioned: no other column of a
-- repeat is sure to be the same, and a repeat must meet its first. The retention is set at every start (400 days here).
CREATE TABLE IF NOT EXISTS events {on_cluster}
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
    channel          LowCardinality(String)
)
ENGINE = {engine}ReplacingMergeTree(precedence)
ORDER BY (shop_id, event_id)
TTL toDateTime(ts) + toIntervalDay(400);

-- Events by visitor, as much of them as sessions and touches need. Natural key (shop_id, anon_id, event_id); a visitor's
-- events lie together. arrival tells two ways of coming apart: two ads, two campaigns, two referring sites.
CREATE TABLE IF NOT EXISTS visitor_events {on_cluster}
(
    shop_id    String,
    anon_id    String,
    event_id   String,
    precedence UInt64,
    ts         DateTime64(3, 'UTC'),
    type       LowCardinality(String),
    channel    LowCardinality(String),
    arrival    UInt64 COMMENT 'hash of channel, referrer host, campaign and click ids'
)
ENGINE = {engine}ReplacingMergeTree(precedence)
ORDER BY (shop_id, anon_id, event_id)
TTL toDateTime(ts) + toIntervalDay(400)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS visitor_events_feed {on_cluster} TO visitor_events AS
SELECT
    shop_id,
    anon_id,
    event_id,
    precedence,
    ts,
    type,
    channel,
    cityHash64(
        channel, referrer_host, utm_source, utm_medium, utm_campaign, utm_term, utm_content, utm_id,
        click_ids.param, click_ids.value
    ) AS arrival
FROM events;

-- What ties visitors to orders: every event that carries an order id or a checkout token, once under each thing it may be
-- asked by. Natural key (shop_id, subject, event_id); subject is v:<anon_id>, o:<order_id> or c:<checkout_token>.
CREATE TABLE IF NOT EXISTS event_links {on_cluster}
(
    shop_id        String,
    subject        String,
    event_id       String,
    precedence     UInt64,
    ts             DateTime64(3, 'UTC'),
    is_purchase    Bool,
    anon_id        String,
    order_id       String,
    checkout_token String
)
ENGINE = {engine}ReplacingMergeTree(precedence)
ORDER BY (shop_id, subject, event_id)
TTL toDateTime(ts) + toIntervalDay(400)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS event_links_feed {on_cluster} TO event_links AS
SELECT
    shop_id,
    arrayJoin(
        arrayConcat(
            [concat('v:', anon_id)],
            if(order_id = '', [], [concat('o:', order_id)]),
            if(checkout_token = '', [], [concat('c:', checkout_token)])
        )
    ) AS subject,
    event_id,
    precedence,
    ts,
    type = 'purchase' AS is_purchase,
    anon_id,
    order_id,
    checkout_token
FROM events
WHERE order_id != '' OR checkout_token != '';
