-- Earlier states of what figures are computed with when they are read: fee rules, expenses, rates and sources. A row says what held
-- until `valid_until`, microseconds since 1970. The current state has the greatest `valid_until` there is. A state begins where the
-- one before it ended, so that the moment is stored once: `valid_from` is that of the first row, and 0 of all others. At a change one
-- insert writes the state that is over, with its end, and the current one: they can't come apart. The state at a moment is the
-- row with the least `valid_until` after it, if it had begun. The moment of a change is the clock of the server, as in
-- 008_figures_history.sql.
--
-- Natural key (shop_id, kind, id, valid_until). Version `computed_at`: that of the newest write that found or made the row, so of two
-- current rows that of the later write wins. A row is deleted when its end is older than the retention. Of expenses there is what
-- counts, and no name.
CREATE TABLE IF NOT EXISTS settings_history
(
    shop_id     String,
    kind        LowCardinality(String) COMMENT 'fee_rule, expense, rates or source',
    id          String COMMENT 'of an expense; day and currency of a rate; else empty: a shop has one of it',
    valid_until  UInt64,
    valid_from  UInt64,
    computed_at UInt64,
    is_deleted  UInt8,
    terms       Array(Array(String)) COMMENT 'the values, as the view of the kind lists them'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, kind, id, valid_until)
TTL toDateTime(least(intDiv(valid_until, 1000000), 3900000000)) + toIntervalDay(400)
SETTINGS index_granularity = 256;

-- Keeps nothing: a view for each kind writes the terms of every write of it here, and one view compares them with the history.
CREATE TABLE IF NOT EXISTS setting_states
(
    shop_id    String,
    kind       LowCardinality(String),
    id         String,
    version    UInt64,
    is_deleted UInt8,
    terms      Array(Array(String))
)
ENGINE = Null;
