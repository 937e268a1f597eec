CREATE OR REPLACE VIEW bi.orders
(
    shop_id             String COMMENT 'Shop. A BI user sees its own alone.',
    order_id            String COMMENT 'Natural key of the order within the shop.',
    order_name          Nullable(String) COMMENT 'Display name; NULL when not sent.',
    placed_at           DateTime64(6, 'UTC') COMMENT 'When the order was placed, UTC.',
    placed_day          Date COMMENT 'Day of placed_at in the time zone of the shop. Filter by it: orders are stored by day.',
    updated_at          DateTime64(6, 'UTC') COMMENT 'When the order last changed, UTC.',
    currency            String COMMENT 'Currency of all amounts, ISO 4217.',
    status              String COMMENT 'paid, pending or voided.',
    is_test             Bool COMMENT 'True for a test order.',
    counted             Bool COMMENT 'True when the order counts in the figures: paid and no test.',
    customer_id         Nullable(String) COMMENT 'Opaque id of the customer; NULL when not sent.',
    total               Decimal(38, 6) COMMENT 'What the customer paid at first, never net of refunds. Revenue is its sum over counted orders.',
    discounts           Decimal(38, 6) COMMENT 'Discounts of the whole order.',
    shipping            Decimal(38, 6) COMMENT 'Shipping charged.',
    tax                 Nullable(Decimal(38, 6)) COMMENT 'Tax; NULL when not sent.',
    taxes_included      Bool COMMENT 'True when prices already include tax.',
    tips                Decimal(38, 6) COMMENT 'Tips.',
    duties              Decimal(38, 6) COMMENT 'Duties.',
    rounding_adjustment Decimal(38, 6) COMMENT 'Cash rounding.',
    refunded            Decimal(38, 6) COMMENT 'Sum of all refunds of the order, whatever their day.',
    payment_gateway     Nullable(String) COMMENT 'Payment gateway as sent; NULL when not sent.',
    gateway_fee         Nullable(Decimal(38, 6)) COMMENT 'Actual fee of the gateway, that of PUT /v1/costs/orders before that of the order; NULL when not known, and then estimated where a fee rule matches.',
    fulfillment_cost    Nullable(Decimal(38, 6)) COMMENT 'What packing and shipping the order costs the shop, that of PUT /v1/costs/orders before that of the order; NULL when not known.',
    subscription_id     Nullable(String) COMMENT 'Subscription that the order belongs to; NULL for none.',
    line_count          UInt64 COMMENT 'Number of line items.',
    refund_count        UInt64 COMMENT 'Number of refunds.'
)
{definer}
AS SELECT
    o.shop_id,
    o.order_id,
    nullIf(o.order_name, '') AS order_name,
    o.placed_at,
    o.placed_day,
    o.updated_at,
    o.currency,
    o.status,
    o.is_test,
    o.status = 'paid' AND NOT o.is_test AS counted,
    nullIf(o.customer_id, '') AS customer_id,
    o.total,
    o.discounts,
    o.shipping,
    o.tax,
    o.taxes_included,
    o.tips,
    o.duties,
    o.rounding_adjustment,
    arraySum(o.refunds.total) AS refunded,
    nullIf(o.payment_gateway, '') AS payment_gateway,
    coalesce(k.gateway_fee, o.gateway_fee) AS gateway_fee,
    coalesce(k.fulfillment_cost, o.fulfillment_cost) AS fulfillment_cost,
    nullIf(o.subscription_id, '') AS subscription_id,
    length(o.line_items.line_id) AS line_count,
    length(o.refunds.refund_id) AS refund_count
FROM {database}.orders AS o {final}
LEFT JOIN
(
    SELECT
        c.shop_id AS shop_id,
        c.order_id AS order_id,
        maxIf(toNullable(c.amount), c.kind = 'gateway_fee') AS gateway_fee,
        maxIf(toNullable(c.amount), c.kind = 'fulfillment_cost') AS fulfillment_cost
    FROM {database}.order_costs AS c {final}
    GROUP BY c.shop_id, c.order_id
) AS k ON k.shop_id = o.shop_id AND k.order_id = o.order_id
COMMENT 'Orders in their newest version, one row an order; deleted ones are left out.';
