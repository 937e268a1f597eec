-- Credit of a shop and day. Natural key (shop_id, day), version computed_at, as daily_orders. An entry holds the sums of all
-- orders that give the channel `weighted / parts` of themselves: sums stay exact, the division comes last, at the reader.
-- Computed behind the costs of the day (005_daily_orders.sql), whose catalog it needs.
CREATE TABLE IF NOT EXISTS daily_channels
(
    shop_id     String,
    day         Date,
    computed_at UInt64,
    credits     Nested
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
    ) COMMENT 'amounts of orders times the parts that the channel gets of the order'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day)
SETTINGS index_granularity = 512;
