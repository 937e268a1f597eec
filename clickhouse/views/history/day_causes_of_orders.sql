-- The tombstone of a day that an order left is one below the version that left it (domain/orders). Its push is found by the
-- stamp of that version.
CREATE MATERIALIZED VIEW day_causes_of_orders TO day_causes AS
SELECT
    c.shop_id AS shop_id,
    c.day AS day,
    toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS stored_at,
    if(c.stamp <= m.last_stamp, 'clock', c.change) AS kind,
    count() AS items,
    groupUniqArray(20)(c.stamp) AS stamps
FROM
(
    SELECT
        d.shop_id AS shop_id,
        d.day AS day,
        toUInt64(bitAnd(d.version, toUInt128(18446744073709551615))) + d.is_deleted AS stamp,
        k.oldest > 0 AND k.oldest < d.version AS is_known,
        multiIf(
            d.is_deleted = 1, 'edited_order',
            d.day != d.placed_day, 'refund',
            NOT is_known, 'late_order',
            d.orders = 0, 'deletion',
            notEmpty(d.refund_list.refund_id), 'refund',
            'edited_order'
        ) AS change
    FROM order_days AS d
    LEFT JOIN
    (
        SELECT shop_id, order_id, min(version) AS oldest
        FROM order_keys
        WHERE (shop_id, order_id) IN (SELECT shop_id, order_id FROM order_days WHERE day < toDate(now() + 50400))
        GROUP BY shop_id, order_id
    ) AS k ON k.shop_id = d.shop_id AND k.order_id = d.order_id
    -- A day ends first where clocks are 14 hours ahead.
    WHERE d.day < toDate(now() + 50400)
) AS c
ASOF LEFT JOIN
(
    SELECT shop_id, first_stamp, last_stamp
    FROM clock_moves
    WHERE shop_id IN (SELECT shop_id FROM order_days)
) AS m ON m.shop_id = c.shop_id AND c.stamp >= m.first_stamp
GROUP BY c.shop_id, c.day, kind;
