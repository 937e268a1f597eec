CREATE MATERIALIZED VIEW order_keys_feed TO order_keys AS
SELECT shop_id, order_id, day, version, is_deleted, occasion
FROM order_days;
