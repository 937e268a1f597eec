CREATE OR REPLACE VIEW bi.order_refunds
(
    shop_id            String COMMENT 'Shop. A BI user sees its own alone.',
    order_id           String COMMENT 'Order that was refunded.',
    refund_id          String COMMENT 'Key of the refund within the order.',
    refunded_at        DateTime64(6, 'UTC') COMMENT 'When the money was returned, UTC.',
    refunded_day       Date COMMENT 'Day of refunded_at in the time zone of the shop; the figures count the refund on it. Filter by it: refunds are stored by day.',
    placed_day         Date COMMENT 'Local day on which the order was placed.',
    currency           String COMMENT 'Currency of all amounts, ISO 4217.',
    total              Decimal(38, 6) COMMENT 'Money returned. Refunds are its sum.',
    tax_refund         Nullable(Decimal(38, 6)) COMMENT 'Tax within total; NULL when not sent.',
    shipping_refund    Decimal(38, 6) COMMENT 'Shipping within total.',
    gateway_fee_refund Decimal(38, 6) COMMENT 'Gateway fee that was returned to the shop.',
    gift_card_refund   Decimal(38, 6) COMMENT 'Part returned as a gift card.',
    store_credit       Bool COMMENT 'True when returned as store credit.'
)
{definer}
AS SELECT
    d.shop_id,
    d.order_id,
    refund_id,
    refunded_at,
    d.day AS refunded_day,
    d.placed_day,
    ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS currency,
    total,
    tax_refund,
    shipping_refund,
    gateway_fee_refund,
    gift_card_refund,
    store_credit
FROM {database}.order_days AS d {final}
ARRAY JOIN
    d.refund_list.refund_id AS refund_id,
    d.refund_list.refunded_at AS refunded_at,
    d.refund_list.total AS total,
    d.refund_list.tax_refund AS tax_refund,
    d.refund_list.shipping_refund AS shipping_refund,
    d.refund_list.gateway_fee_refund AS gateway_fee_refund,
    d.refund_list.gift_card_refund AS gift_card_refund,
    d.refund_list.store_credit AS store_credit
COMMENT 'Refunds of counted orders (paid, no test), one row a refund. Refunds of other orders count nowhere and are left out.';
