CREATE MATERIALIZED VIEW order_checkouts_feed TO order_checkouts AS
SELECT shop_id, checkout_token, order_id, version
FROM orders
WHERE checkout_token != '';
