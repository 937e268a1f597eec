CREATE OR REPLACE VIEW bi.customer_orders
(
    shop_id               String COMMENT 'Shop. A BI user sees its own alone.',
    order_id              String COMMENT 'Natural key of the order within the shop.',
    placed_at             DateTime64(6, 'UTC') COMMENT 'When the order was placed, UTC.',
    placed_day            Date COMMENT 'Day of placed_at in the time zone of the shop. Join by it and order_id.',
    on_day                Date COMMENT 'placed_day, for tools that name a truncated column as the column itself.',
    customer_id           Nullable(String) COMMENT 'As in orders.',
    customer_order_number Nullable(UInt64) COMMENT 'As in order_profit.',
    is_first_order        Nullable(Bool) COMMENT 'As in order_profit.',
    currency              String COMMENT 'Currency of all amounts, ISO 4217.',
    revenue               Decimal(38, 6) COMMENT 'As in order_profit.',
    refunds               Decimal(38, 6) COMMENT 'As in order_profit, whatever the day.',
    net_revenue           Decimal(38, 6) COMMENT 'revenue - refunds.',
    profit                Nullable(Decimal(38, 6)) COMMENT 'As in order_profit.'
)
{definer}
AS SELECT
    p.shop_id,
    p.order_id,
    p.placed_at,
    p.placed_day,
    p.placed_day AS on_day,
    p.customer_id,
    p.customer_order_number,
    p.is_first_order,
    p.currency,
    p.revenue,
    p.refunds,
    p.revenue - p.refunds AS net_revenue,
    p.profit
FROM bi.order_profit AS p
COMMENT 'Counted orders, each numbered among those of its customer, one row an order. A question that shows or compares the numbers reads all counted orders of the shop, in few columns; others read their days alone.';
