CREATE MATERIALIZED VIEW daily_orders_history_feed TO daily_orders_history AS
SELECT
    shop_id,
    day,
    part,
    toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS valid_from,
    computed_at,
    read_at,
    sipHash64(
        sums, estimable.payment_gateway, estimable.orders, estimable.revenue, uncosted_skus,
        spend.channel, spend.currency, spend.amount
    ) AS state,
    sums,
    estimable.payment_gateway,
    estimable.orders,
    estimable.revenue,
    uncosted_skus,
    spend.channel,
    spend.currency,
    spend.amount
FROM daily_orders;
