CREATE OR REPLACE VIEW bi.customer_orders
(
    shop_id               String COMMENT 'Shop. A BI user sees its own alone.',
    order_id              String COMMENT 'Natural key of the order within the shop.',
    placed_at             DateTime64(6, 'UTC') COMMENT 'When the order was placed, UTC.',
    placed_day            Date COMMENT 'Day of placed_at in the time zone of the shop. Join by it and order_id.',
    on_day                Date COMMENT 'placed_day, for tools that name a truncated column as the column itself.',
    customer_id           Nullable(String) COMMENT 'As in orders. With a filter by it no other customers are sorted.',
    customer_order_number Nullable(UInt64) COMMENT '1 for the first counted order of the customer in the shop, by placed_at, then order_id; 2 for the next. NULL without a customer.',
    is_first_order        Nullable(Bool) COMMENT 'True for the first counted order of the customer: customer=new in GET /v1/orders. NULL without a customer.',
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
    if(
        p.customer_id IS NULL,
        NULL,
        row_number() OVER (PARTITION BY p.shop_id, p.customer_id ORDER BY p.placed_at, p.order_id)
    ) AS customer_order_number,
    CAST(customer_order_number = 1, 'Nullable(Bool)') AS is_first_order,
    p.currency,
    p.revenue,
    p.refunds,
    p.revenue - p.refunds AS net_revenue,
    p.profit
FROM bi.order_profit AS p
COMMENT 'Counted orders, each numbered among those of its customer, one row an order. The numbers follow from the orders of now: an older order that arrives changes those of later ones, as do orders that are voided or deleted or change their customer. A question that shows or compares them reads all counted orders of the shop, whatever its days; others read their days alone.';
