CREATE OR REPLACE VIEW bi.customers
(
    shop_id         String COMMENT 'Shop. A BI user sees its own alone.',
    customer_id     String COMMENT 'Opaque id of the customer.',
    cohort_month    Date COMMENT 'First day of the month of the first order.',
    first_order_day Date COMMENT 'Local day of the first order.',
    last_order_day  Date COMMENT 'Local day of the last order.',
    first_order_at  DateTime64(6, 'UTC') COMMENT 'When the first order was placed, UTC.',
    last_order_at   DateTime64(6, 'UTC') COMMENT 'When the last order was placed, UTC.',
    orders          UInt64 COMMENT 'Counted orders.',
    currency        String COMMENT 'Currency of all amounts, ISO 4217.',
    revenue         Decimal(38, 6) COMMENT 'Their totals.',
    refunds         Decimal(38, 6) COMMENT 'Their refunds, whatever the day.',
    net_revenue     Decimal(38, 6) COMMENT 'revenue - refunds.',
    profit          Nullable(Decimal(38, 6)) COMMENT 'Profit of the orders, as in order_profit: without ads and expenses. Orders whose profit is NULL there are left out.'
)
{definer}
AS SELECT
    any(p.shop_id) AS shop_id,
    assumeNotNull(p.customer_id) AS customer_id,
    toStartOfMonth(min(p.placed_day)) AS cohort_month,
    min(p.placed_day) AS first_order_day,
    max(p.placed_day) AS last_order_day,
    min(p.placed_at) AS first_order_at,
    max(p.placed_at) AS last_order_at,
    count() AS orders,
    any(p.currency) AS currency,
    sum(p.revenue) AS revenue,
    sum(p.refunds) AS refunds,
    revenue - refunds AS net_revenue,
    sum(p.profit) AS profit
FROM bi.order_profit AS p
WHERE p.customer_id IS NOT NULL
GROUP BY customer_id
COMMENT 'Customers with counted orders, one row each; orders without a customer are left out.';
