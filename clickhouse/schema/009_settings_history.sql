-- Histories (008_figures_history.sql) of what figures are computed with when they are read: fee rules, expenses and sources. `computed_at` is the version of the
-- write. Of expenses there is what counts, and no name.
CREATE TABLE IF NOT EXISTS gateway_fee_rules_history
(
    shop_id     String,
    held_until  UInt64,
    held_since  UInt64,
    computed_at UInt64,
    rules       Nested
    (
        payment_gateway String,
        percent         Decimal(38, 6),
        fixed           Decimal(38, 6)
    )
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, held_until)
TTL toDateTime(least(intDiv(held_until, 1000000), 3900000000)) + toIntervalDay(400)
SETTINGS index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS gateway_fee_rules_history_feed TO gateway_fee_rules_history AS
WITH toUInt64(18446744073709551615) AS standing
SELECT
    e.shop_id AS shop_id,
    e.row.1 AS held_until,
    e.row.2 AS held_since,
    e.row.3 AS computed_at,
    e.row.4.1 AS `rules.payment_gateway`,
    e.row.4.2 AS `rules.percent`,
    e.row.4.3 AS `rules.fixed`
FROM
(
    SELECT
        c.shop_id AS shop_id,
        arrayJoin(
            arrayConcat(
                [(standing, if(c.is_known, if(c.is_same, c.old_since, toUInt64(0)), c.now_at), c.version, c.new_rules)],
                if(c.is_known AND NOT c.is_same, [(c.now_at, c.old_since, c.old_version, c.old_rules)], [])
            )
        ) AS row
    FROM
    (
        SELECT
            n.shop_id AS shop_id,
            toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS now_at,
            n.version AS version,
            (n.rules.payment_gateway, n.rules.percent, n.rules.fixed) AS new_rules,
            h.held_until = standing AS is_known,
            h.held_since AS old_since,
            h.computed_at AS old_version,
            (h.rules.payment_gateway, h.rules.percent, h.rules.fixed) AS old_rules,
            is_known AND new_rules = old_rules AS is_same
        FROM gateway_fee_rules AS n
        LEFT JOIN
        (
            SELECT *
            FROM gateway_fee_rules_history FINAL
            WHERE held_until = standing AND shop_id IN (SELECT shop_id FROM gateway_fee_rules)
        ) AS h ON h.shop_id = n.shop_id
        WHERE h.computed_at <= n.version
    ) AS c
) AS e;

CREATE TABLE IF NOT EXISTS expenses_history
(
    shop_id            String,
    expense_id         String,
    held_until         UInt64,
    held_since         UInt64,
    computed_at        UInt64,
    amount             Decimal(38, 6),
    currency           LowCardinality(String),
    frequency          LowCardinality(String),
    started_on         Date,
    last_day           Nullable(Int32) COMMENT 'days from 1970-01-01, inclusive; null: goes on',
    counts_as_ad_spend Bool,
    is_deleted         UInt8
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, expense_id, held_until)
TTL toDateTime(least(intDiv(held_until, 1000000), 3900000000)) + toIntervalDay(400)
SETTINGS index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS expenses_history_feed TO expenses_history AS
WITH toUInt64(18446744073709551615) AS standing
SELECT
    e.shop_id AS shop_id,
    e.expense_id AS expense_id,
    e.row.1 AS held_until,
    e.row.2 AS held_since,
    e.row.3 AS computed_at,
    e.row.4.1 AS amount,
    e.row.4.2 AS currency,
    e.row.4.3 AS frequency,
    e.row.4.4 AS started_on,
    e.row.4.5[1] AS last_day,
    e.row.4.6 AS counts_as_ad_spend,
    e.row.4.7 AS is_deleted
FROM
(
    SELECT
        c.shop_id AS shop_id,
        c.expense_id AS expense_id,
        arrayJoin(
            arrayConcat(
                [(standing, if(c.is_known, if(c.is_same, c.old_since, toUInt64(0)), c.now_at), c.version, c.new_terms)],
                if(c.is_known AND NOT c.is_same, [(c.now_at, c.old_since, c.old_version, c.old_terms)], [])
            )
        ) AS row
    FROM
    (
        SELECT
            n.shop_id AS shop_id,
            n.expense_id AS expense_id,
            toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS now_at,
            n.version AS version,
            -- The last day as a list, since a comparison with null is null.
            (
                n.amount, toString(n.currency), toString(n.frequency), n.started_on,
                [ifNull(n.end_day, toInt32(n.ended_on))], n.counts_as_ad_spend, n.is_deleted
            ) AS new_terms,
            h.held_until = standing AS is_known,
            h.held_since AS old_since,
            h.computed_at AS old_version,
            (
                h.amount, toString(h.currency), toString(h.frequency), h.started_on,
                [h.last_day], h.counts_as_ad_spend, h.is_deleted
            ) AS old_terms,
            is_known AND new_terms = old_terms AS is_same
        FROM expenses AS n
        LEFT JOIN
        (
            SELECT *
            FROM expenses_history FINAL
            WHERE held_until = standing AND (shop_id, expense_id) IN (SELECT shop_id, expense_id FROM expenses)
        ) AS h ON h.shop_id = n.shop_id AND h.expense_id = n.expense_id
        WHERE h.computed_at <= n.version
    ) AS c
) AS e;

CREATE TABLE IF NOT EXISTS sources_history
(
    shop_id     String,
    held_until  UInt64,
    held_since  UInt64,
    computed_at UInt64,
    currency    LowCardinality(String),
    timezone    LowCardinality(String)
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, held_until)
TTL toDateTime(least(intDiv(held_until, 1000000), 3900000000)) + toIntervalDay(400)
SETTINGS index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS sources_history_feed TO sources_history AS
WITH toUInt64(18446744073709551615) AS standing
SELECT
    e.shop_id AS shop_id,
    e.row.1 AS held_until,
    e.row.2 AS held_since,
    e.row.3 AS computed_at,
    e.row.4.1 AS currency,
    e.row.4.2 AS timezone
FROM
(
    SELECT
        c.shop_id AS shop_id,
        arrayJoin(
            arrayConcat(
                [(standing, if(c.is_known, if(c.is_same, c.old_since, toUInt64(0)), c.now_at), c.version, c.new_settings)],
                if(c.is_known AND NOT c.is_same, [(c.now_at, c.old_since, c.old_version, c.old_settings)], [])
            )
        ) AS row
    FROM
    (
        SELECT
            n.shop_id AS shop_id,
            toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS now_at,
            n.version AS version,
            (toString(n.currency), toString(n.timezone)) AS new_settings,
            h.held_until = standing AS is_known,
            h.held_since AS old_since,
            h.computed_at AS old_version,
            (toString(h.currency), toString(h.timezone)) AS old_settings,
            is_known AND new_settings = old_settings AS is_same
        FROM sources AS n
        LEFT JOIN
        (
            SELECT *
            FROM sources_history FINAL
            WHERE held_until = standing AND shop_id IN (SELECT shop_id FROM sources)
        ) AS h ON h.shop_id = n.shop_id
        WHERE h.computed_at <= n.version
    ) AS c
) AS e;
