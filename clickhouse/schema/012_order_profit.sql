-- What each order brings in the figures, whatever the days of its refunds, for lists and totals of orders. Natural key (shop_id,
-- placed_day), version computed_at: a row holds all orders that were placed on a day, and is replaced as a whole, so that an order
-- that left the day is gone. Deleted orders are not in it; those that do not count are, with their amounts. Written with the figures
-- of the day, from its orders and the catalog of today. Pages and exports of orders show these rows, as their totals do.
-- Fee rules are applied when it is read.
CREATE TABLE IF NOT EXISTS order_profit
(
    shop_id     String,
    placed_day  Date,
    computed_at UInt64 COMMENT 'arrival stamp taken before the rebuild reads',
    orders      Nested
    (
        order_id           String,
        order_name         String,
        placed_at          DateTime64(6, 'UTC'),
        updated_at         DateTime64(6, 'UTC'),
        -- The arrival stamp of its version.
        received_at        UInt64,
        status             LowCardinality(String),
        is_test            Bool,
        payment_gateway    LowCardinality(String),
        is_warned          Bool,
        has_gateway_fee    Bool,
        revenue            Decimal(38, 6),
        refunds            Decimal(38, 6),
        -- The actual fee, 0 where there is none, minus what refunds gave back of it.
        gateway_fees       Decimal(38, 6),
        tax                Decimal(38, 6),
        tax_refunded       Decimal(38, 6),
        fulfillment_cost   Nullable(Decimal(38, 6)),
        -- Of what was not restocked; an unknown cost counts 0.
        cogs               Decimal(76, 12),
        lines_without_cost UInt64,
        skus               Array(String)
    ) COMMENT 'an entry an order'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, placed_day)
-- By bytes too: a row of a busy shop is 100 KB and more, and most pages read one.
SETTINGS index_granularity = 64, index_granularity_bytes = 262144;
