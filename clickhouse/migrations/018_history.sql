-- What stood when, so that the past can be asked. Beside every table whose newest rows make the figures stands its history:
-- a row says what held until `held_until`, microseconds since 1970. What stands now has the greatest `held_until` there is. A row
-- begins where the one before it ended, so that the moment is stored once: `held_since` is that of the first row, and 0 of all
-- others. At a change one insert writes the row that is over, with its end, and the one that stands:
-- they can't come apart. As of a moment holds the row with the least `held_until` after it, if it had begun. So a question reads
-- only what has changed since, and what two rebuilds of one day at once leave behind, or one that is repeated after a crash,
-- never hides what stands.
--
-- Views on the tables themselves feed all of it, whoever writes there. The moment of a change is the clock of the server
-- when it has computed the rows, some milliseconds before they can be read (README.md says what that means for a reader).
-- What stood before this migration counts as having stood always. It is copied before the view is there; what a rebuild
-- stored between the two is stored once more, so that the view sees it. Stamps of the last ten minutes are enough for that.
--
-- Natural keys are those of the tables and `held_until`. Version: the stamp of the newest write that found or made the row, so
-- of two rows that stand the one of the later rebuild wins; of a row that is over nobody asks, and it may be 0. A row is deleted
-- when its end is older than the retention.

-- Of daily_orders. `computed_at` is that of the last rebuild that found these figures, `orders_at` that of the last reading of
-- orders that they come from: what was stored between then and the end is why they changed. Ordered by day and end: a question
-- about a range reads of each day only the ends after its moment.
CREATE TABLE IF NOT EXISTS daily_orders_history {on_cluster}
(
    shop_id            String CODEC(ZSTD(3)),
    day                Date CODEC(ZSTD(3)),
    part               Enum8('orders' = 0, 'spend' = 1) CODEC(ZSTD(3)),
    held_until         UInt64 CODEC(Delta, ZSTD(3)),
    held_since         UInt64 CODEC(Delta, ZSTD(3)),
    computed_at        UInt64 CODEC(Delta, ZSTD(3)),
    orders_at          UInt64 COMMENT 'daily_products.computed_at; of spend as computed_at' CODEC(Delta, ZSTD(3)),
    orders             UInt64 CODEC(Delta, ZSTD(3)),
    revenue            Decimal(38, 6) CODEC(ZSTD(3)),
    refunds            Decimal(38, 6) CODEC(ZSTD(3)),
    cogs               Decimal(76, 12) CODEC(ZSTD(3)),
    gateway_fees       Decimal(38, 6) CODEC(ZSTD(3)),
    estimable          Nested
    (
        payment_gateway String,
        orders          UInt64,
        revenue         Decimal(38, 6)
    ) CODEC(ZSTD(3)),
    orders_costed      UInt64 CODEC(Delta, ZSTD(3)),
    orders_fee_actual  UInt64 CODEC(Delta, ZSTD(3)),
    orders_tax_present UInt64 CODEC(Delta, ZSTD(3)),
    revenue_uncosted   Decimal(38, 6) CODEC(ZSTD(3)),
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

INSERT INTO daily_orders_history
SELECT
    d.shop_id, d.day, d.part, 18446744073709551615, 0, d.computed_at, d.computed_at,
    d.orders, d.revenue, d.refunds, d.cogs, d.gateway_fees,
    d.estimable.payment_gateway, d.estimable.orders, d.estimable.revenue,
    d.orders_costed, d.orders_fee_actual, d.orders_tax_present, d.revenue_uncosted,
    arraySort(arrayZip(d.spend.channel, d.spend.currency, d.spend.amount)).1,
    arraySort(arrayZip(d.spend.channel, d.spend.currency, d.spend.amount)).2,
    arraySort(arrayZip(d.spend.channel, d.spend.currency, d.spend.amount)).3
FROM daily_orders AS d FINAL;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_orders_history_feed {on_cluster} TO daily_orders_history AS
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
                n.orders, n.revenue, n.refunds, n.cogs, n.gateway_fees,
                arrayZip(n.estimable.payment_gateway, n.estimable.orders, n.estimable.revenue),
                n.orders_costed, n.orders_fee_actual, n.orders_tax_present, n.revenue_uncosted,
                arraySort(arrayZip(n.spend.channel, n.spend.currency, n.spend.amount))
            ) AS new_figures,
            h.held_until = standing AS is_known,
            h.held_since AS old_since,
            h.computed_at AS old_computed_at,
            h.orders_at AS old_orders_at,
            (
                h.orders, h.revenue, h.refunds, h.cogs, h.gateway_fees,
                arrayZip(h.estimable.payment_gateway, h.estimable.orders, h.estimable.revenue),
                h.orders_costed, h.orders_fee_actual, h.orders_tax_present, h.revenue_uncosted,
                arrayZip(h.spend.channel, h.spend.currency, h.spend.amount)
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
    e.row.5.1 AS orders,
    e.row.5.2 AS revenue,
    e.row.5.3 AS refunds,
    e.row.5.4 AS cogs,
    e.row.5.5 AS gateway_fees,
    e.row.5.6.1 AS `estimable.payment_gateway`,
    e.row.5.6.2 AS `estimable.orders`,
    e.row.5.6.3 AS `estimable.revenue`,
    e.row.5.7 AS orders_costed,
    e.row.5.8 AS orders_fee_actual,
    e.row.5.9 AS orders_tax_present,
    e.row.5.10 AS revenue_uncosted,
    e.row.5.11.1 AS `spend.channel`,
    e.row.5.11.2 AS `spend.currency`,
    e.row.5.11.3 AS `spend.amount`
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

INSERT INTO daily_orders
SELECT *
FROM daily_orders FINAL
WHERE computed_at > (SELECT max(computed_at) FROM daily_orders_history) - 600000000
    AND (shop_id, day, part, computed_at) NOT IN
    (
        SELECT shop_id, day, part, max(computed_at)
        FROM daily_orders_history
        WHERE held_until = 18446744073709551615
        GROUP BY shop_id, day, part
    );

-- Of daily_channels, an entry a row: what a rebuild leaves as it is writes nothing. An entry that is gone stands as zeros. A
-- row without a model says which rebuild of the day was the last: one that began earlier changes nothing any more.
CREATE TABLE IF NOT EXISTS daily_channels_history {on_cluster}
(
    shop_id        String CODEC(ZSTD(3)),
    day            Date CODEC(ZSTD(3)),
    model          LowCardinality(String) CODEC(ZSTD(3)),
    channel        LowCardinality(String) CODEC(ZSTD(3)),
    parts          UInt32 CODEC(ZSTD(3)),
    held_until     UInt64 CODEC(Delta, ZSTD(3)),
    held_since     UInt64 CODEC(Delta, ZSTD(3)),
    computed_at    UInt64 CODEC(Delta, ZSTD(3)),
    orders         UInt64 CODEC(Delta, ZSTD(3)),
    revenue        Decimal(38, 6) CODEC(ZSTD(3)),
    refunds        Decimal(38, 6) CODEC(ZSTD(3)),
    proved_orders  UInt64 CODEC(Delta, ZSTD(3)),
    proved_revenue Decimal(38, 6) CODEC(ZSTD(3)),
    proved_refunds Decimal(38, 6) CODEC(ZSTD(3))
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day, model, channel, parts, held_until)
TTL toDateTime(least(intDiv(held_until, 1000000), 3900000000)) + toIntervalDay(400)
SETTINGS index_granularity = 1024;

INSERT INTO daily_channels_history
SELECT
    d.shop_id, d.day, c.model, c.channel, c.parts, 18446744073709551615, 0, d.computed_at,
    c.orders, c.revenue, c.refunds, c.proved_orders, c.proved_revenue, c.proved_refunds
FROM daily_channels AS d FINAL
ARRAY JOIN d.credits AS c;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_channels_history_feed {on_cluster} TO daily_channels_history AS
WITH
    toUInt64(18446744073709551615) AS standing,
    overtaken AS
    (
        SELECT b.shop_id AS shop_id, b.day AS day
        FROM daily_channels AS b
        INNER JOIN daily_channels_history AS h ON h.shop_id = b.shop_id AND h.day = b.day
        WHERE h.model = '' AND h.computed_at > b.computed_at AND (h.shop_id, h.day) IN (SELECT shop_id, day FROM daily_channels)
    ),
    both AS
    (
        SELECT
            n.shop_id AS shop_id,
            n.day AS day,
            c.model AS model,
            c.channel AS channel,
            c.parts AS parts,
            true AS is_new,
            toUInt64(0) AS old_since,
            (c.orders, c.revenue, c.refunds, c.proved_orders, c.proved_revenue, c.proved_refunds) AS credit
        FROM daily_channels AS n
        ARRAY JOIN n.credits AS c
        UNION ALL
        SELECT
            r.shop_id AS shop_id,
            r.day AS day,
            '' AS model,
            '' AS channel,
            toUInt32(0) AS parts,
            true AS is_new,
            toUInt64(0) AS old_since,
            (
                toUInt64(0), toDecimal128(0, 6), toDecimal128(0, 6), toUInt64(0), toDecimal128(0, 6), toDecimal128(0, 6)
            ) AS credit
        FROM daily_channels AS r
        UNION ALL
        SELECT
            h.shop_id AS shop_id,
            h.day AS day,
            h.model AS model,
            h.channel AS channel,
            h.parts AS parts,
            false AS is_new,
            h.held_since AS old_since,
            (h.orders, h.revenue, h.refunds, h.proved_orders, h.proved_revenue, h.proved_refunds) AS credit
        FROM
        (
            SELECT *
            FROM daily_channels_history FINAL
            WHERE held_until = standing AND (shop_id, day) IN (SELECT shop_id, day FROM daily_channels)
        ) AS h
    ),
    compared AS
    (
        SELECT
            e.shop_id AS shop_id,
            e.day AS day,
            e.model AS model,
            e.channel AS channel,
            e.parts AS parts,
            toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS now_at,
            countIf(NOT e.is_new) > 0 AS is_known,
            max(b.computed_at) AS new_computed_at,
            max(e.old_since) AS old_since,
            anyIf(e.credit, e.is_new) AS new_credit,
            anyIf(e.credit, NOT e.is_new) AS old_credit
        FROM daily_channels AS b
        INNER JOIN both AS e ON e.shop_id = b.shop_id AND e.day = b.day
        WHERE (b.shop_id, b.day) NOT IN (SELECT shop_id, day FROM overtaken)
        GROUP BY e.shop_id, e.day, e.model, e.channel, e.parts
        HAVING new_credit != old_credit OR model = ''
    )
SELECT
    e.shop_id AS shop_id,
    e.day AS day,
    e.model AS model,
    e.channel AS channel,
    e.parts AS parts,
    e.row.1 AS held_until,
    e.row.2 AS held_since,
    e.row.3 AS computed_at,
    e.row.4.1 AS orders,
    e.row.4.2 AS revenue,
    e.row.4.3 AS refunds,
    e.row.4.4 AS proved_orders,
    e.row.4.5 AS proved_revenue,
    e.row.4.6 AS proved_refunds
FROM
(
    SELECT
        c.shop_id AS shop_id,
        c.day AS day,
        c.model AS model,
        c.channel AS channel,
        c.parts AS parts,
        arrayJoin(
            arrayConcat(
                [(standing, if(c.is_known, toUInt64(0), c.now_at), c.new_computed_at, c.new_credit)],
                if(c.is_known AND c.model != '', [(c.now_at, c.old_since, toUInt64(0), c.old_credit)], [])
            )
        ) AS row
    FROM compared AS c
) AS e;

INSERT INTO daily_channels
SELECT *
FROM daily_channels FINAL
WHERE computed_at > (SELECT max(computed_at) FROM daily_channels_history) - 600000000
    AND (shop_id, day, computed_at) NOT IN
    (
        SELECT shop_id, day, max(computed_at)
        FROM daily_channels_history
        WHERE held_until = 18446744073709551615
        GROUP BY shop_id, day
    );
