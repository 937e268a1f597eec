-- A view sees one shop at a time, so the catalog is joined by SKU alone: with the shop in the key the question takes a third longer.
CREATE OR REPLACE VIEW bi.order_line_items
(
    shop_id        String COMMENT 'Shop. A BI user sees its own alone.',
    order_id       String COMMENT 'Order of the line. An index finds it without the day.',
    line_id        String COMMENT 'Key of the line within the order.',
    placed_at      DateTime64(6, 'UTC') COMMENT 'When the order was placed, UTC.',
    placed_day     Date COMMENT 'Day of placed_at in the time zone of the shop. Filter by it, and join by it and order_id: orders are stored by day.',
    currency       String COMMENT 'Currency of all amounts, ISO 4217.',
    counted        Bool COMMENT 'True when the order counts in the figures: paid and no test.',
    customer_id    Nullable(String) COMMENT 'Opaque id of the customer; NULL when not sent. An index finds it without the day.',
    sku            Nullable(String) COMMENT 'SKU; NULL when not sent.',
    product_id     Nullable(String) COMMENT 'Product; NULL when not sent.',
    title          Nullable(String) COMMENT 'Title; NULL when not sent.',
    quantity       Decimal(38, 6) COMMENT 'Quantity sold.',
    unit_price     Decimal(38, 6) COMMENT 'Price of one unit.',
    line_discount  Decimal(38, 6) COMMENT 'Discount of the line.',
    amount         Nullable(Decimal(38, 12)) COMMENT 'quantity x unit_price - line_discount, exact. NULL: over 10^25.',
    unit_cost      Nullable(Decimal(38, 6)) COMMENT 'Cost of one unit: the one sent with the line, else the catalog version of the SKU that was in force on placed_day; NULL when unknown.',
    unit_cost_from String COMMENT 'Where unit_cost comes from: line, catalog or unknown.',
    cost           Nullable(Decimal(38, 12)) COMMENT 'quantity x unit_cost, exact; NULL when the cost is unknown (the figures then count 0). NULL: over 10^25.'
)
{definer}
AS WITH
    -- An amount that 38 digits with room for sums do not hold, which no line means, is not shown: most readers know no wider type.
    toDecimal256('10000000000000000000000000', 12) AS most,
    n -> if(n IS NULL OR abs(n) > most, NULL, toDecimal128(least(greatest(n, -most), most), 12)) AS shown
SELECT
    l.shop_id,
    l.order_id,
    l.line_id,
    l.placed_at,
    l.placed_day,
    l.currency,
    l.counted,
    nullIf(l.customer_id, '') AS customer_id,
    nullIf(l.sku, '') AS sku,
    nullIf(l.product_id, '') AS product_id,
    nullIf(l.title, '') AS title,
    l.quantity,
    l.unit_price,
    l.line_discount,
    shown(toDecimal256(l.quantity, 6) * toDecimal256(l.unit_price, 6) - toDecimal256(l.line_discount, 12)) AS amount,
    coalesce(l.sent_cost, c.unit_cost) AS unit_cost,
    multiIf(l.sent_cost IS NOT NULL, 'line', c.unit_cost IS NOT NULL, 'catalog', 'unknown') AS unit_cost_from,
    shown(toDecimal256(l.quantity, 6) * toDecimal256(coalesce(l.sent_cost, c.unit_cost), 6)) AS cost
FROM
(
    SELECT
        o.shop_id AS shop_id,
        o.order_id AS order_id,
        o.placed_at AS placed_at,
        o.placed_day AS placed_day,
        o.currency AS currency,
        o.status = 'paid' AND NOT o.is_test AS counted,
        o.customer_id AS customer_id,
        line_id,
        quantity,
        unit_price,
        sku,
        line_discount,
        sent_cost,
        product_id,
        title
    FROM {database}.orders AS o {final}
    ARRAY JOIN
        o.line_items.line_id AS line_id,
        o.line_items.quantity AS quantity,
        o.line_items.unit_price AS unit_price,
        o.line_items.sku AS sku,
        o.line_items.line_discount AS line_discount,
        o.line_items.unit_cost AS sent_cost,
        o.line_items.product_id AS product_id,
        o.line_items.title AS title
) AS l
ASOF LEFT JOIN
(
    SELECT sku, since, toNullable(unit_cost) AS unit_cost
    FROM {database}.product_costs {final}
) AS c ON l.sku = c.sku AND l.placed_day >= c.since
COMMENT 'Line items of orders in their newest version, one row a line.';
