-- A view sees one shop at a time, so the catalog is joined by SKU alone: with the shop in the key the question takes a third longer.
CREATE OR REPLACE VIEW bi.refund_line_items
(
    shop_id      String COMMENT 'Shop. A BI user sees its own alone.',
    order_id     String COMMENT 'Order that was refunded.',
    refund_id    String COMMENT 'Refund that names the line.',
    line_id      String COMMENT 'Line item of the order.',
    refunded_day Date COMMENT 'Local day of the refund. Filter by it: refunds are stored by day.',
    placed_day   Date COMMENT 'Local day on which the order was placed; unit_cost is that of this day.',
    currency     String COMMENT 'Currency of all amounts, ISO 4217.',
    sku          Nullable(String) COMMENT 'SKU of the line; NULL when not sent.',
    quantity     Decimal(38, 6) COMMENT 'Quantity that came back.',
    restock      Bool COMMENT 'True when it went back on sale: its cost is then credited.',
    unit_price   Decimal(38, 6) COMMENT 'Price of one unit as sold.',
    amount       Nullable(Decimal(38, 12)) COMMENT 'quantity x unit_price minus its share of the line''s discount, exact to the twelfth decimal. The money returned is order_refunds.total. NULL: over 10^25.',
    unit_cost    Nullable(Decimal(38, 6)) COMMENT 'Cost of one unit, as in order_line_items; NULL when unknown.',
    cost_credit  Nullable(Decimal(38, 12)) COMMENT 'quantity x unit_cost of a restocked line, exact, else 0. Product costs are the cost of lines sold minus this. NULL: over 10^25.'
)
{definer}
AS WITH
    -- An amount that 38 digits with room for sums do not hold, which no line means, is not shown: most readers know no wider type.
    toDecimal256('10000000000000000000000000', 12) AS most,
    n -> if(n IS NULL OR abs(n) > most, NULL, toDecimal128(least(greatest(n, -most), most), 12)) AS shown
SELECT
    l.shop_id,
    l.order_id,
    l.refund_id,
    l.line_id,
    l.refunded_day,
    l.placed_day,
    ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS currency,
    nullIf(l.sku, '') AS sku,
    l.quantity,
    l.restock,
    l.unit_price,
    shown(toDecimal256(l.quantity, 6) * toDecimal256(l.unit_price, 6)
        - if(l.sold = 0, toDecimal256(0, 12), toDecimal256(l.quantity, 6) * toDecimal256(l.line_discount, 6) / if(l.sold = 0, 1, l.sold))) AS amount,
    coalesce(l.sent_cost, c.unit_cost) AS unit_cost,
    shown(if(l.restock, 1, 0) * toDecimal256(l.quantity, 6) * toDecimal256(ifNull(coalesce(l.sent_cost, c.unit_cost), toDecimal128(0, 6)), 6)) AS cost_credit
FROM
(
    SELECT
        d.shop_id AS shop_id,
        d.order_id AS order_id,
        d.day AS refunded_day,
        d.placed_day AS placed_day,
        refund_id,
        line_id,
        quantity,
        restock,
        sku,
        unit_price,
        sent_cost,
        sold,
        line_discount
    FROM {database}.order_days AS d {final}
    ARRAY JOIN
        d.refund_lines.refund_id AS refund_id,
        d.refund_lines.line_id AS line_id,
        d.refund_lines.quantity AS quantity,
        d.refund_lines.restock AS restock,
        d.refund_lines.sku AS sku,
        d.refund_lines.unit_price AS unit_price,
        d.refund_lines.unit_cost AS sent_cost,
        d.refund_lines.sold AS sold,
        d.refund_lines.line_discount AS line_discount
) AS l
ASOF LEFT JOIN
(
    SELECT sku, since, toNullable(unit_cost) AS unit_cost
    FROM {database}.product_costs {final}
) AS c ON l.sku = c.sku AND l.placed_day >= c.since
COMMENT 'Lines that refunds of counted orders name, one row a refund and line.';
