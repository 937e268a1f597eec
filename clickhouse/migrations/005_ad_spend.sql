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
