-- Time-versioned unit costs. 1970-01-01 is a day like any other, and a version without a first day is a key of its own before
-- it: `is_epoch_day` tells them apart, since a Date has nothing earlier.
-- Natural key (shop_id, sku, effective_from, is_epoch_day), which is (shop_id, sku, since). Version: arrival stamp, the newest
-- push wins. Ordered by SKU and day, the order in which the ASOF join reads it.
CREATE TABLE IF NOT EXISTS product_costs
(
    shop_id        String,
    sku            String,
    effective_from Date,
    is_epoch_day   UInt8 COMMENT '1: the version of 1970-01-01 itself; 0 on that date: from the beginning; 0 on all other dates',
    since          Date32 ALIAS if(toUInt16(effective_from) = 0 AND is_epoch_day = 0, toDate32('1900-01-01'), toDate32(effective_from)) COMMENT 'first day of the version; 1900-01-01: from the beginning',
    unit_cost      Decimal(38, 6),
    currency       LowCardinality(String),
    version        UInt64,
    is_deleted     UInt8
)
ENGINE = {engine}ReplacingMergeTree(version, is_deleted)
PRIMARY KEY (shop_id, sku, effective_from)
ORDER BY (shop_id, sku, effective_from, is_epoch_day)
SETTINGS index_granularity = 1024;

-- When a unit cost of a SKU was stored last: rows of order_facts with that SKU and an earlier stamp may not have read it. Natural key
-- (shop_id, sku). Version: a stamp taken when the cost was stored.
CREATE TABLE IF NOT EXISTS product_cost_changes
(
    shop_id   String,
    sku       String,
    stored_at UInt64 COMMENT 'microseconds since 1970'
)
ENGINE = {engine}ReplacingMergeTree(stored_at)
ORDER BY (shop_id, sku)
SETTINGS index_granularity = 1024;

-- Costs of orders that are known elsewhere, or later than the order, which they may precede. Each wins over what the order itself
-- says. Natural key (shop_id, order_id, kind): one kind is sent, and taken back, without the other. Version: arrival stamp, the newest
-- push wins. Ordered by order, since a rebuild looks up the orders of its days.
CREATE TABLE IF NOT EXISTS order_costs
(
    shop_id    String,
    order_id   String,
    kind       Enum8('fulfillment_cost' = 0, 'gateway_fee' = 1),
    amount     Decimal(38, 6),
    version    UInt64,
    is_deleted UInt8 COMMENT '1: taken back'
)
ENGINE = {engine}ReplacingMergeTree(version, is_deleted)
ORDER BY (shop_id, order_id, kind)
SETTINGS index_granularity = 1024;

-- Exchange rates that the shop pushed: what one unit of `currency` is worth in `shop_currency`, that of the shop at the push, on a day.
-- They count while the shop has that currency. Natural key (shop_id, currency, day); version: arrival stamp, the newest push wins.
-- Figures are converted when they are read, so a rate needs no rebuild.
CREATE TABLE IF NOT EXISTS rates
(
    shop_id       String,
    currency      LowCardinality(String),
    day           Date,
    rate          Decimal(38, 12),
    shop_currency LowCardinality(String),
    version       UInt64,
    is_deleted    UInt8 COMMENT '1: taken back'
)
ENGINE = {engine}ReplacingMergeTree(version, is_deleted)
ORDER BY (shop_id, currency, day)
SETTINGS index_granularity = 1024;

-- Pushed ad spend. Natural key (shop_id, event_date, channel, currency, campaign_id, adset_id, ad_id), an id that was not
-- given is empty; version: arrival stamp, the newest push of a key wins. Ordered by day, the way it is summed. A row counts
-- only unless ad_spend_clears holds a newer stamp for its day. Not partitioned: it is small, and one push may reach over
-- more years than an insert may reach over partitions.
CREATE TABLE IF NOT EXISTS ad_spend
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

-- Days that a spend of "0" without ids has cleared: rows of the day with an older stamp don't count, whether they are stored
-- already or come later. Natural key (shop_id, event_date, channel, currency), version: arrival stamp.
CREATE TABLE IF NOT EXISTS ad_spend_clears
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

-- Fee rules of a shop, the whole list in one row, since a push replaces the whole list. Natural key shop_id, version:
-- arrival stamp. Estimates are made when metrics are read, so a change of rules needs no rebuild.
CREATE TABLE IF NOT EXISTS gateway_fee_rules
(
    shop_id String,
    rules   Nested
    (
        payment_gateway String,
        gateway         String,
        percent         Decimal(38, 6),
        fixed           Decimal(38, 6)
    ) COMMENT 'payment_gateway as given; gateway as it is compared: gatewayKey',
    version UInt64
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY shop_id;

-- Recurring costs. Natural key (shop_id, expense_id): of an expense of the API the id follows from its external_id, so two
-- pushes of one external_id meet in one row; one made in the app has a random id and no external_id. Version: arrival
-- stamp. A deletion is a tombstone without content; the forced merges make what it replaced vanish for good.
CREATE TABLE IF NOT EXISTS expenses
(
    shop_id            String,
    expense_id         String,
    external_id        Nullable(String) COMMENT 'null: made in the app',
    name               String,
    category           LowCardinality(String),
    amount             Decimal(38, 6) COMMENT 'a percentage where frequency is percent_of_revenue',
    currency           LowCardinality(String),
    frequency          LowCardinality(String),
    started_on         Date,
    end_day            Nullable(Int32) COMMENT 'days from 1970-01-01 to the last day, up to 9999-12-31; null: goes on',
    ended_on           Nullable(Date) MATERIALIZED if(end_day IS NULL, NULL, toDate(toUInt16(least(assumeNotNull(end_day), 65378)))) COMMENT 'the same; 2148-12-31 for every later day, which no Date holds',
    counts_as_ad_spend Bool,
    version            UInt64,
    is_deleted         UInt8
)
ENGINE = {engine}ReplacingMergeTree(version, is_deleted)
ORDER BY (shop_id, expense_id)
SETTINGS min_age_to_force_merge_seconds = 600, min_age_to_force_merge_on_partition_only = 1;
