CREATE MATERIALIZED VIEW day_causes_of_spend TO day_causes AS
SELECT
    s.shop_id AS shop_id,
    s.event_date AS day,
    toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS stored_at,
    'spend' AS kind,
    count() AS items,
    groupUniqArray(20)(s.version) AS stamps
FROM ad_spend AS s
WHERE s.event_date < toDate(now() + 50400)
GROUP BY s.shop_id, s.event_date;
