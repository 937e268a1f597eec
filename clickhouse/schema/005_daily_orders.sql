-- Figures of a shop and day, in parts that are computed apart: the orders by the worker from
-- order_facts, the ad spend by spend_rollup_requests. One table, because a second one nearly doubles the time of a metrics request. Natural key (shop_id,
-- day, part), version computed_at: of two rebuilds the one that began later wins. A day that lost its last order keeps an
-- explicit row of zeros. Ordered by the key; 512 rows a granule, since a request reads at most 366 days. Readers sum over
-- the parts.
CREATE TABLE IF NOT EXISTS daily_orders
(
    shop_id            String,
    day                Date,
    part               Enum8('orders' = 0, 'spend' = 1),
    computed_at        UInt64 COMMENT 'arrival stamp taken before the sums are read',
    read_at            UInt64 COMMENT 'arrival stamp taken before orders, costs, credit or spend were read',
    sums               Map(LowCardinality(String), Decimal(76, 12)) COMMENT 'by the names of domain/metrics/sums.ts; zeros are left out; of part orders only',
    placed_sums        Map(LowCardinality(String), Decimal(76, 12)) COMMENT 'by PLACED_SUMS of domain/metrics/sums.ts, of the orders placed on the day, refunds whatever their day: how many they are, and of those that count what sums has by other days; zeros are left out; of part orders only',
    estimable          Nested
    (
        payment_gateway String,
        orders          UInt64,
        revenue         Decimal(38, 6)
    ) COMMENT 'orders without an actual fee, by payment gateway',
    -- An entry holds the sums of all orders that give the channel `weighted / parts` of themselves: sums stay exact, the division comes
    -- last, at the reader.
    credits            Nested
    (
        -- losses: channel is then the cause why orders are unattributed.
        model           LowCardinality(String),
        channel         LowCardinality(String),
        evidence        LowCardinality(String),
        parts           UInt32,
        -- Of orders without an actual fee, whose fees are estimated when they are read: orders and revenue are all theirs. Else empty.
        payment_gateway String,
        orders          UInt64,
        revenue         Decimal(38, 6),
        refunds         Decimal(38, 6),
        gateway_fees    Decimal(38, 6),
        cogs            Decimal(76, 12)
    ) COMMENT 'amounts of orders times the parts that the channel gets of the order',
    uncosted_skus      Array(String) COMMENT 'sorted; sold without a unit cost, neither of the line nor in the catalog; empty text: lines without SKU',
    spend              Nested
    (
        channel  String,
        currency String,
        amount   Decimal(38, 6)
    ) COMMENT 'part spend only; sorted by channel and currency'
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
