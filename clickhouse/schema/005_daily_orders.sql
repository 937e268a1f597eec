-- The trigger of the second step (004_daily_products.sql). It stores nothing. To repeat the step by hand, once the first is stored:
--   INSERT INTO figure_requests SELECT shop_id, day, toUnixTimestamp64Micro(now64(6)) FROM daily_products FINAL WHERE …
CREATE TABLE IF NOT EXISTS figure_requests
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken after the first step was stored, before this one reads'
)
ENGINE = Null;

-- The costs of those days on their way to the figures, to the credit of channels and to the profit of orders; stores nothing either.
-- A table between, because a clause that is used twice is computed twice.
CREATE TABLE IF NOT EXISTS costed_days
(
    shop_id     String,
    day         Date,
    computed_at UInt64,
    cogs        Decimal(76, 12),
    unknown     Array(String) COMMENT 'SKUs sold without a unit cost, neither of their own nor in the catalog',
    catalog     Nested
    (
        sku       String,
        cost_day  Date,
        unit_cost Decimal(38, 6)
    ) COMMENT 'unit costs of the catalog, of the lines that need it'
)
ENGINE = Null;

-- Figures of a shop and day, in parts that are computed apart: the orders by figure_requests, the ad spend by
-- spend_rollup_requests. One table, because a second one nearly doubles the time of a metrics request. Natural key (shop_id,
-- day, part), version computed_at: of two rebuilds the one that began later wins. A day that lost its last order keeps an
-- explicit row of zeros. Ordered by the key; 512 rows a granule, since a request reads at most 366 days. Readers sum over
-- the parts.
CREATE TABLE IF NOT EXISTS daily_orders
(
    shop_id            String,
    day                Date,
    part               Enum8('orders' = 0, 'spend' = 1),
    computed_at        UInt64,
    sums               Map(LowCardinality(String), Decimal(76, 12)) COMMENT 'by the names of domain/metrics/sums.ts; zeros are left out; of part orders only',
    estimable          Nested
    (
        payment_gateway String,
        orders          UInt64,
        revenue         Decimal(38, 6)
    ) COMMENT 'orders without an actual fee, by payment gateway',
    uncosted_skus      Array(String) COMMENT 'sorted; sold without a unit cost, neither of the line nor in the catalog; empty text: lines without SKU',
    spend              Nested
    (
        channel  String,
        currency String,
        amount   Decimal(38, 6)
    ) COMMENT 'part spend only'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day, part)
SETTINGS index_granularity = 512;

-- The trigger of the spend rollup, apart from that of the orders because neither needs the other. To rebuild by hand:
--   INSERT INTO spend_rollup_requests SELECT DISTINCT shop_id, event_date, toUnixTimestamp64Micro(now64(6)) FROM ad_spend WHERE …
CREATE TABLE IF NOT EXISTS spend_rollup_requests
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken before the rebuild reads'
)
ENGINE = Null;
