CREATE MATERIALIZED VIEW daily_orders_history_feed TO daily_orders_history AS
WITH
    toUInt64(18446744073709551615) AS open_end,
    compared AS
    (
        SELECT
            n.shop_id AS shop_id,
            n.day AS day,
            n.part AS part,
            toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS now_at,
            n.computed_at AS new_computed_at,
            n.read_at AS new_read_at,
            (
                n.sums,
                arrayZip(n.estimable.payment_gateway, n.estimable.orders, n.estimable.revenue),
                arraySort(arrayZip(n.spend.channel, n.spend.currency, n.spend.amount)),
                n.uncosted_skus
            ) AS new_figures,
            h.valid_until = open_end AS is_known,
            h.valid_from AS old_since,
            h.computed_at AS old_computed_at,
            h.read_at AS old_read_at,
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
            WHERE valid_until = open_end AND (shop_id, day) IN (SELECT shop_id, day FROM daily_orders)
        ) AS h ON h.shop_id = n.shop_id AND h.day = n.day AND h.part = n.part
        -- Of two rebuilds the one that began later counts, whichever ends first.
        WHERE h.computed_at <= n.computed_at
    )
SELECT
    e.shop_id AS shop_id,
    e.day AS day,
    e.part AS part,
    e.row.1 AS valid_until,
    e.row.2 AS valid_from,
    e.row.3 AS computed_at,
    e.row.4 AS read_at,
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
                [(open_end, if(c.is_known, if(c.is_same, c.old_since, toUInt64(0)), c.now_at), c.new_computed_at, c.new_read_at, c.new_figures)],
                if(
                    c.is_known AND NOT c.is_same,
                    [(c.now_at, c.old_since, c.old_computed_at, c.old_read_at, c.old_figures)],
                    []
                )
            )
        ) AS row
    FROM compared AS c
) AS e;
