-- Keeps one row an order in `orders`: where the newest row of (shop, day, order) says that the order is not placed on that
-- day, an older row of it on that day is outdated.
CREATE MATERIALIZED VIEW orders_left TO orders AS
SELECT d.shop_id AS shop_id, d.day AS placed_day, d.order_id AS order_id, d.version AS version, toUInt8(1) AS is_deleted
FROM order_days AS d
WHERE d.is_deleted = 1 OR d.day != d.placed_day;
