-- Earlier states. Each table whose newest rows make the figures has a history; that of settings is 009_settings_history.sql. This one
-- has a row for each computation of a day, its version: a view copies whatever is written to daily_orders and compares it with
-- nothing. With a comparison, which had to join the state before, one day's turn took 87 ms of CPU instead of 76, and its spend
-- 35 instead of 24 (medians of 57 interleaved rounds, all else equal); reading took as long, on days of 10,000 versions too.
--
-- What held at a moment is the version with the greatest `computed_at` of those whose `valid_from` is not after it: of two rebuilds
-- the one that began later counts, whichever ends first. A rebuild that finds what is known leaves a version with the same
-- `state`: readers of changes compare a version with what held before it. `valid_from` is the clock of the server when it has
-- the rows, some milliseconds before they can be read (domain/as-of.ts says what that means for a reader).
--
-- Natural key (shop_id, day, part, valid_from), version `computed_at`. Ordered by day and time: of each day a query reads only the
-- versions up to its moment. Those of a day that are older than the retention become one, the last, since it held when the past
-- begins: its `valid_from` is 0, as long as the past is kept, unless all of them are of one state. A row more does no harm.
CREATE TABLE IF NOT EXISTS daily_orders_history
(
    shop_id            String CODEC(ZSTD(3)),
    day                Date CODEC(ZSTD(3)),
    part               Enum8('orders' = 0, 'spend' = 1) CODEC(ZSTD(3)),
    valid_from         UInt64 COMMENT 'microseconds since 1970; 0: longer than the past is kept' CODEC(Delta, ZSTD(3)),
    computed_at        UInt64 COMMENT 'as in daily_orders' CODEC(Delta, ZSTD(3)),
    read_at            UInt64 COMMENT 'as in daily_orders; what is stored until the next state is why that one came' CODEC(Delta, ZSTD(3)),
    state              UInt64 COMMENT 'hash of all that follows',
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
ORDER BY (shop_id, day, part, valid_from)
TTL toDateTime(intDiv(valid_from, 1000000)) + toIntervalDay(400) GROUP BY shop_id, day, part SET
    valid_from = if(min(state) = max(state), min(valid_from), 0),
    computed_at = max(computed_at),
    read_at = argMax(read_at, computed_at),
    state = argMax(state, computed_at),
    sums = argMax(sums, computed_at),
    `estimable.payment_gateway` = argMax(`estimable.payment_gateway`, computed_at),
    `estimable.orders` = argMax(`estimable.orders`, computed_at),
    `estimable.revenue` = argMax(`estimable.revenue`, computed_at),
    uncosted_skus = argMax(uncosted_skus, computed_at),
    `spend.channel` = argMax(`spend.channel`, computed_at),
    `spend.currency` = argMax(`spend.currency`, computed_at),
    `spend.amount` = argMax(`spend.amount`, computed_at)
-- The rule merges a part of old and new versions again each time, so it is a week until the next time.
SETTINGS index_granularity = 512, merge_with_ttl_timeout = 604800;
