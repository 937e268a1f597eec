CREATE OR REPLACE VIEW bi.fee_rules
(
    shop_id         String COMMENT 'Shop. A BI user sees its own alone.',
    payment_gateway String COMMENT 'Gateway as given; orders match without regard to case, blanks, _ and -.',
    gateway         String COMMENT 'payment_gateway as it is compared: join by it to gateway of orders and order_profit.',
    percent         Decimal(38, 6) COMMENT 'Per cent of the total of an order.',
    fixed           Decimal(38, 6) COMMENT 'Amount an order.',
    currency        String COMMENT 'Currency of fixed, ISO 4217.'
)
{definer}
AS SELECT
    r.shop_id,
    rule.1 AS payment_gateway,
    rule.2 AS gateway,
    rule.3 AS percent,
    rule.4 AS fixed,
    ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS currency
FROM {database}.gateway_fee_rules AS r {final}
ARRAY JOIN arrayZip(r.rules.payment_gateway, r.rules.gateway, r.rules.percent, r.rules.fixed) AS rule
COMMENT 'Rules by which gateway fees are estimated for orders that came without one; one row a gateway.';
