-- Fee rules of a shop, the whole list in one row, since a push replaces the whole list. Natural key shop_id, version:
-- arrival stamp. Estimates are made when metrics are read, so a change of rules needs no rebuild.
CREATE TABLE IF NOT EXISTS gateway_fee_rules {on_cluster}
(
    shop_id String,
    rules   Nested
    (
        payment_gateway String,
        percent         Decimal(38, 6),
        fixed           Decimal(38, 6)
    ) COMMENT 'gateways as given; they match without regard to case',
    version UInt64
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY shop_id;

-- Recurring costs. Natural key (shop_id, expense_id): of an expense of the API the id follows from its external_id, so two
-- pushes of one external_id meet in one row; one made in the app has a random id and no external_id. Version: arrival
-- stamp. A deletion is a tombstone without content; the forced merges make what it replaced vanish for good.
CREATE TABLE IF NOT EXISTS expenses {on_cluster}
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
    ended_on           Nullable(Date) COMMENT 'inclusive; null: goes on',
    counts_as_ad_spend Bool,
    version            UInt64,
    is_deleted         UInt8
)
ENGINE = {engine}ReplacingMergeTree(version, is_deleted)
ORDER BY (shop_id, expense_id)
SETTINGS min_age_to_force_merge_seconds = 600, min_age_to_force_merge_on_partition_only = 1;
