-- History (008_figures_history.sql) of what figures are computed with when they are read: fee rules, expenses and sources.
-- Natural key (shop_id, kind, id, held_until). `computed_at` is the version of the write. Of expenses there is what counts, and
-- no name.
CREATE TABLE IF NOT EXISTS settings_history
(
    shop_id     String,
    kind        LowCardinality(String) COMMENT 'fee_rule, expense or source',
    id          String COMMENT 'of an expense; else empty: a shop has one of it',
    held_until  UInt64,
    held_since  UInt64,
    computed_at UInt64,
    is_deleted  UInt8,
    terms       Array(Array(String)) COMMENT 'the values, as the view of the kind lists them'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, kind, id, held_until)
TTL toDateTime(least(intDiv(held_until, 1000000), 3900000000)) + toIntervalDay(400)
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

CREATE MATERIALIZED VIEW IF NOT EXISTS settings_history_feed TO settings_history AS
WITH toUInt64(18446744073709551615) AS standing
SELECT
    e.shop_id AS shop_id,
    e.kind AS kind,
    e.id AS id,
    e.row.1 AS held_until,
    e.row.2 AS held_since,
    e.row.3 AS computed_at,
    e.row.4 AS is_deleted,
    e.row.5 AS terms
FROM
(
    SELECT
        c.shop_id AS shop_id,
        c.kind AS kind,
        c.id AS id,
        arrayJoin(
            arrayConcat(
                [(standing, if(c.is_known, if(c.is_same, c.old_since, toUInt64(0)), c.now_at), c.version, c.is_deleted, c.terms)],
                if(c.is_known AND NOT c.is_same, [(c.now_at, c.old_since, c.old_version, c.was_deleted, c.old_terms)], [])
            )
        ) AS row
    FROM
    (
        SELECT
            n.shop_id AS shop_id,
            n.kind AS kind,
            n.id AS id,
            toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS now_at,
            n.version AS version,
            n.is_deleted AS is_deleted,
            n.terms AS terms,
            h.held_until = standing AS is_known,
            h.held_since AS old_since,
            h.computed_at AS old_version,
            h.is_deleted AS was_deleted,
            h.terms AS old_terms,
            h.held_until = standing AND n.is_deleted = h.is_deleted AND n.terms = h.terms AS is_same
        FROM setting_states AS n
        LEFT JOIN
        (
            SELECT *
            FROM settings_history FINAL
            WHERE held_until = standing AND (shop_id, kind, id) IN (SELECT shop_id, kind, id FROM setting_states)
        ) AS h ON h.shop_id = n.shop_id AND h.kind = n.kind AND h.id = n.id
        WHERE h.computed_at <= n.version
    ) AS c
) AS e;

-- Gateways, percents and fixed amounts, by rule.
CREATE MATERIALIZED VIEW IF NOT EXISTS gateway_fee_rules_states TO setting_states AS
SELECT
    shop_id,
    'fee_rule' AS kind,
    '' AS id,
    version,
    toUInt8(0) AS is_deleted,
    [rules.payment_gateway, CAST(rules.percent, 'Array(String)'), CAST(rules.fixed, 'Array(String)')] AS terms
FROM gateway_fee_rules;

-- The last day is a number of days from 1970-01-01, inclusive; empty: goes on.
CREATE MATERIALIZED VIEW IF NOT EXISTS expenses_states TO setting_states AS
SELECT
    shop_id,
    'expense' AS kind,
    expense_id AS id,
    version,
    is_deleted,
    [[
        toString(amount), toString(currency), toString(frequency), toString(started_on),
        ifNull(toString(end_day), ''), toString(counts_as_ad_spend)
    ]] AS terms
FROM expenses;

CREATE MATERIALIZED VIEW IF NOT EXISTS sources_states TO setting_states AS
SELECT
    shop_id,
    'source' AS kind,
    '' AS id,
    version,
    toUInt8(0) AS is_deleted,
    [[toString(currency), toString(timezone)]] AS terms
FROM sources;
