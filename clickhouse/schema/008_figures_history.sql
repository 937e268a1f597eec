-- Earlier states. Each table whose newest rows make the figures has a history: a row says what held until `valid_until`,
-- microseconds since 1970. The current state has the greatest `valid_until` there is. A state begins where the one before it
-- ended, so that the moment is stored once: `valid_from` is that of the first row, and 0 of all others. At a change one
-- insert writes the state that is over, with its end, and the current one: they can't come apart. The state at a moment is the
-- row with the least `valid_until` after it, if it had begun. So a query reads only what has changed since, and the rows
-- that two rebuilds of one day at once leave, or one that is repeated after a crash, never hide the current state.
--
-- Views on the tables themselves feed all of it, whatever wrote there. The moment of a change is the clock of the server when
-- it has computed the rows, some milliseconds before they can be read (domain/as-of.ts says what that means for a reader).
--
-- Natural keys are those of the tables and `valid_until`. Version: the stamp of the newest write that found or made the row, so
-- of two current rows that of the later rebuild wins; of a row that is over it is not needed, and may be 0. A row is deleted
-- when its end is older than the retention.

-- Of daily_orders. `computed_at` and `read_at` are those of the last rebuild that found these figures: what was stored between
-- `read_at` and the end is why they changed. Ordered by day and end: a query
-- of a range reads of each day only the ends after its moment.
CREATE TABLE IF NOT EXISTS daily_orders_history
(
    shop_id            String CODEC(ZSTD(3)),
    day                Date CODEC(ZSTD(3)),
    part               Enum8('orders' = 0, 'spend' = 1) CODEC(ZSTD(3)),
    valid_until         UInt64 CODEC(Delta, ZSTD(3)),
    valid_from         UInt64 CODEC(Delta, ZSTD(3)),
    computed_at        UInt64 CODEC(Delta, ZSTD(3)),
    read_at            UInt64 CODEC(Delta, ZSTD(3)),
    sums               Map(LowCardinality(String), Decimal(76, 12)) CODEC(ZSTD(3)),
    estimable          Nested
    (
        payment_gateway String,
        orders          UInt64,
        revenue         Decimal(38, 6)
    ) CODEC(ZSTD(3)),
    uncosted_skus      Array(String) CODEC(ZSTD(3)),
    spend              Nested
    (
        channel  String,
        currency String,
        amount   Decimal(38, 6)
    ) COMMENT 'sorted by channel and currency' CODEC(ZSTD(3))
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day, part, valid_until)
TTL toDateTime(least(intDiv(valid_until, 1000000), 3900000000)) + toIntervalDay(400)
SETTINGS index_granularity = 512;
