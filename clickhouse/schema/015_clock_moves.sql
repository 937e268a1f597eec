-- Orders that were written again because a later release of the time zones gives them other days (`profit days mend`): the arrival
-- stamps of each such push, stored before its rows, so that the clock is also the cause of the days that they leave
-- (010_day_causes.sql). Kept as long as those. Natural key (shop_id, first_stamp); a repeated write is the same row.
CREATE TABLE IF NOT EXISTS clock_moves
(
    shop_id     String,
    first_stamp UInt64,
    last_stamp  UInt64
)
ENGINE = {engine}ReplacingMergeTree
ORDER BY (shop_id, first_stamp)
TTL toDateTime(intDiv(first_stamp, 1000000)) + toIntervalDay(400)
SETTINGS index_granularity = 1024;
