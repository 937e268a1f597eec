-- The tombstone of a day that an order left is one below the version that left it (domain/orders). Its push is found by the
-- stamp of that version. What a push knows of its orders is in their rows: with a look-up of it here, and of the clock, storing
-- and settling one order took 69 ms of CPU in place of 58; one that is in doubt, which the worker looks up, takes 67.
CREATE MATERIALIZED VIEW day_causes_of_orders TO day_causes AS
SELECT
    d.shop_id AS shop_id,
    d.day AS day,
    toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS stored_at,
    multiIf(
        d.occasion = 2, 'clock',
        d.is_deleted = 1, 'edited_order',
        d.day != d.placed_day, 'refund',
        d.occasion = 0, 'late_order',
        d.orders = 0, 'deletion',
        notEmpty(d.refund_list.refund_id), 'refund',
        'edited_order'
    ) AS kind,
    count() AS items,
    groupUniqArray(20)(toUInt64(bitAnd(d.version, toUInt128(18446744073709551615))) + d.is_deleted) AS stamps
FROM order_days AS d
-- A day ends first where clocks are 14 hours ahead.
WHERE d.day < toDate(now() + 50400)
GROUP BY d.shop_id, d.day, kind;
