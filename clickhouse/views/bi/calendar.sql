CREATE OR REPLACE VIEW bi.calendar
(
    shop_id       String COMMENT 'Shop. A BI user sees its own alone.',
    day           Date COMMENT 'Day, from the first with figures to a year from today.',
    on_day        Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    week          Date COMMENT 'Monday of its week.',
    month         Date COMMENT 'First day of its month.',
    quarter       Date COMMENT 'First day of its quarter.',
    year          UInt16 COMMENT 'Year.',
    iso_week      UInt8 COMMENT 'Number of the ISO week.',
    weekday       UInt8 COMMENT '1 for Monday to 7 for Sunday.',
    weekday_name  String COMMENT 'Monday to Sunday.',
    is_past       Bool COMMENT 'True when the day has ended in the time zone of the shop.'
)
{definer}
AS WITH
    {local_day},
    local_day(now('UTC')) AS today,
    (SELECT if(count() = 0, today(), min(day)) FROM {database}.daily_orders) AS first_day
SELECT
    c.shop_id,
    c.day,
    c.day AS on_day,
    toMonday(c.day) AS week,
    toStartOfMonth(c.day) AS month,
    toStartOfQuarter(c.day) AS quarter,
    toYear(c.day) AS year,
    toISOWeek(c.day) AS iso_week,
    toDayOfWeek(c.day) AS weekday,
    ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'][weekday] AS weekday_name,
    c.day < today AS is_past
FROM
(
    SELECT
        shop_id,
        arrayJoin(arrayMap(
            n -> first_day + n,
            range(toUInt32(greatest(0, toInt32(today) + 366 - toInt32(first_day))))
        )) AS day
    FROM {database}.sources {final}
) AS c
COMMENT 'Days, one row each: join figures to it to see days without any.';
