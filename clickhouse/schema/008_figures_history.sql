-- Earlier states. Each table whose newest rows make the figures has a history: a row says what held until `held_until`,
-- microseconds since 1970. The current state has the greatest `held_until` there is. A state begins where the one before it
-- ended, so that the moment is stored once: `held_since` is that of the first row, and 0 of all others. At a change one
-- insert writes the state that is over, with its end, and the current one: they can't come apart. The state at a moment is the
-- row with the least `held_until` after it, if it had begun. So a query reads only what has changed since, and the rows
-- that two rebuilds of one day at once leave, or one that is repeated after a crash, never hide the current state.
--
-- Views on the tables themselves feed all of it, whatever wrote there. The moment of a change is the clock of the server when
-- it has computed the rows, some milliseconds before they can be read (domain/as-of.ts says what that means for a reader).
--
-- Natural keys are those of the tables and `held_until`. Version: the stamp of the newest write that found or made the row, so
-- of two current rows that of the later rebuild wins; of a row that is over it is not needed, and may be 0. A row is deleted
-- when its end is older than the retention.

-- Of daily_orders. `computed_at` is that of the last rebuild that found these figures, `orders_at` that of the last reading of
-- orders that they come from: what was stored between then and the end is why they changed. Ordered by day and end: a query
-- of a range reads of each day only the ends after its moment.
CREATE TABLE IF NOT EXISTS daily_orders_history
(
    shop_id            String CODEC(ZSTD(3)),
    day                Date CODEC(ZSTD(3)),
    part               Enum8('orders' = 0, 'spend' = 1) CODEC(ZSTD(3)),
    held_until         UInt64 CODEC(Delta, ZSTD(3)),
    held_since         UInt64 CODEC(Delta, ZSTD(3)),
    computed_at        UInt64 CODEC(Delta, ZSTD(3)),
    orders_at          UInt64 COMMENT 'daily_products.computed_at; of spend as computed_at' CODEC(Delta, ZSTD(3)),
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
ORDER BY (shop_id, day, part, held_until)
TTL toDateTime(least(intDiv(held_until, 1000000), 3900000000)) + toIntervalDay(400)
SETTINGS index_granularity = 512;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_orders_history_feed TO daily_orders_history AS
WITH
    toUInt64(18446744073709551615) AS standing,
    compared AS
    (
        SELECT
            n.shop_id AS shop_id,
            n.day AS day,
            n.part AS part,
            toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS now_at,
            n.computed_at AS new_computed_at,
            if(n.part = 'orders' AND p.computed_at > 0, least(p.computed_at, n.computed_at), n.computed_at) AS new_orders_at,
            (
                n.sums,
                arrayZip(n.estimable.payment_gateway, n.estimable.orders, n.estimable.revenue),
                arraySort(arrayZip(n.spend.channel, n.spend.currency, n.spend.amount)),
                n.uncosted_skus
            ) AS new_figures,
            h.held_until = standing AS is_known,
            h.held_since AS old_since,
            h.computed_at AS old_computed_at,
            h.orders_at AS old_orders_at,
            (
                h.sums,
                arrayZip(h.estimable.payment_gateway, h.estimable.orders, h.estimable.revenue),
                arrayZip(h.spend.channel, h.spend.currency, h.spend.amount),
                h.uncosted_skus
            ) AS old_figures,
            is_known AND new_figures = old_figures AS is_same
        FROM daily_orders AS n
        LEFT JOIN
        (
            SELECT *
            FROM daily_orders_history FINAL
            WHERE held_until = standing AND (shop_id, day) IN (SELECT shop_id, day FROM daily_orders)
        ) AS h ON h.shop_id = n.shop_id AND h.day = n.day AND h.part = n.part
        LEFT JOIN
        (
            SELECT d.shop_id AS shop_id, d.day AS day, max(d.computed_at) AS computed_at
            FROM daily_products AS d
            WHERE (d.shop_id, d.day) IN (SELECT shop_id, day FROM daily_orders)
            GROUP BY d.shop_id, d.day
        ) AS p ON p.shop_id = n.shop_id AND p.day = n.day
        -- Of two rebuilds the one that began later counts, whichever ends first.
        WHERE h.computed_at <= n.computed_at
    )
SELECT
    e.shop_id AS shop_id,
    e.day AS day,
    e.part AS part,
    e.row.1 AS held_until,
    e.row.2 AS held_since,
    e.row.3 AS computed_at,
    e.row.4 AS orders_at,
    e.row.5.1 AS sums,
    e.row.5.2.1 AS `estimable.payment_gateway`,
    e.row.5.2.2 AS `estimable.orders`,
    e.row.5.2.3 AS `estimable.revenue`,
    e.row.5.3.1 AS `spend.channel`,
    e.row.5.3.2 AS `spend.currency`,
    e.row.5.3.3 AS `spend.amount`,
    e.row.5.4 AS uncosted_skus
FROM
(
    SELECT
        c.shop_id AS shop_id,
        c.day AS day,
        c.part AS part,
        arrayJoin(
            arrayConcat(
                [(standing, if(c.is_known, if(c.is_same, c.old_since, toUInt64(0)), c.now_at), c.new_computed_at, c.new_orders_at, c.new_figures)],
                if(
                    c.is_known AND NOT c.is_same,
                    [(c.now_at, c.old_since, c.old_computed_at, c.old_orders_at, c.old_figures)],
                    []
                )
            )
        ) AS row
    FROM compared AS c
) AS e;

-- Of daily_channels, an entry a row: what a rebuild leaves as it is writes nothing. An entry that is gone has zeros. A row
-- without a model says which rebuild of the day was the last: one that began earlier changes nothing any more.
--
-- A rebuild of one day costs nearly all its time before it reads the first order, in resolving and planning its views, and a
-- clause costs as often as it is named. So the history meets the new rows of its day in one join, and what goes from step to
-- step is a tuple instead of a column a value (18 ms of CPU instead of 28).
CREATE TABLE IF NOT EXISTS daily_channels_history
(
    shop_id        String CODEC(ZSTD(3)),
    day            Date CODEC(ZSTD(3)),
    model          LowCardinality(String) CODEC(ZSTD(3)),
    channel        LowCardinality(String) CODEC(ZSTD(3)),
    evidence       LowCardinality(String) CODEC(ZSTD(3)),
    parts          UInt32 CODEC(ZSTD(3)),
    payment_gateway String CODEC(ZSTD(3)),
    held_until     UInt64 CODEC(Delta, ZSTD(3)),
    held_since     UInt64 CODEC(Delta, ZSTD(3)),
    computed_at    UInt64 CODEC(Delta, ZSTD(3)),
    orders         UInt64 CODEC(Delta, ZSTD(3)),
    revenue        Decimal(38, 6) CODEC(ZSTD(3)),
    refunds        Decimal(38, 6) CODEC(ZSTD(3)),
    gateway_fees   Decimal(38, 6) CODEC(ZSTD(3)),
    cogs           Decimal(76, 12) CODEC(ZSTD(3))
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day, model, channel, evidence, parts, payment_gateway, held_until)
TTL toDateTime(least(intDiv(held_until, 1000000), 3900000000)) + toIntervalDay(400)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_channels_history_feed TO daily_channels_history AS
WITH if(is_new, new_credit, old_credit) AS credit
SELECT
    shop_id,
    day,
    key.1 AS model,
    key.2 AS channel,
    key.3 AS evidence,
    key.4 AS parts,
    key.5 AS payment_gateway,
    if(is_new, toUInt64(18446744073709551615), now_at) AS held_until,
    multiIf(NOT is_new, old_since, is_known, toUInt64(0), now_at) AS held_since,
    if(is_new, new_computed_at, toUInt64(0)) AS computed_at,
    credit.1 AS orders,
    credit.2 AS revenue,
    credit.3 AS refunds,
    credit.4 AS gateway_fees,
    credit.5 AS cogs
FROM
(
    SELECT
        shop_id,
        day,
        new_computed_at,
        entry.1 AS key,
        toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS now_at,
        countIf(entry.2) > 0 AS is_known,
        max(entry.3) AS old_since,
        anyIf(entry.4, NOT entry.2) AS new_credit,
        anyIf(entry.4, entry.2) AS old_credit
    FROM
    (
        SELECT
            n.shop_id AS shop_id,
            n.day AS day,
            n.computed_at AS new_computed_at,
            -- Key, whether it is of the history, its `held_since`, values. The key of the row of the last rebuild is empty.
            arrayJoin(arrayConcat(
                h.entries,
                [(
                    ('', '', '', toUInt32(0), ''), false, toUInt64(0),
                    (toUInt64(0), toDecimal128(0, 6), toDecimal128(0, 6), toDecimal128(0, 6), toDecimal256(0, 12))
                )],
                arrayMap(
                    (model, channel, evidence, parts, gateway, orders, revenue, refunds, gateway_fees, cogs) -> (
                        (toString(model), toString(channel), toString(evidence), parts, gateway), false, toUInt64(0),
                        (orders, revenue, refunds, gateway_fees, cogs)
                    ),
                    n.credits.model, n.credits.channel, n.credits.evidence, n.credits.parts, n.credits.payment_gateway,
                    n.credits.orders, n.credits.revenue, n.credits.refunds, n.credits.gateway_fees, n.credits.cogs
                )
            )) AS entry
        FROM daily_channels AS n
        LEFT JOIN
        (
            SELECT
                shop_id,
                day,
                max(computed_at) AS found_at,
                groupArray((
                    (toString(model), toString(channel), toString(evidence), parts, payment_gateway), true, held_since,
                    (orders, revenue, refunds, gateway_fees, cogs)
                )) AS entries
            FROM daily_channels_history FINAL
            WHERE held_until = 18446744073709551615 AND (shop_id, day) IN (SELECT shop_id, day FROM daily_channels)
            GROUP BY shop_id, day
        ) AS h ON h.shop_id = n.shop_id AND h.day = n.day
        WHERE h.found_at <= n.computed_at
    )
    GROUP BY shop_id, day, new_computed_at, key
    HAVING key.1 = '' OR new_credit != old_credit
)
ARRAY JOIN if(is_known AND key.1 != '', [true, false], [true]) AS is_new;
