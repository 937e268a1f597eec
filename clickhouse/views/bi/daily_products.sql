-- A view sees one shop at a time, so entries are grouped by day and SKU, and the catalog is joined by SKU alone: with the shop in
-- the keys the question takes a tenth longer.
CREATE OR REPLACE VIEW bi.daily_products
(
    shop_id              String COMMENT 'Shop. A BI user sees its own alone.',
    day                  Date COMMENT 'Local day: of sales that of the order, of refunds their own. Filter by it: products are stored by day.',
    on_day               Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    currency             String COMMENT 'Currency of all amounts, ISO 4217.',
    sku                  Nullable(String) COMMENT 'SKU; NULL: all lines without one.',
    title                Nullable(String) COMMENT 'Title of the lines sold on the day; NULL when none has one.',
    units_sold           Decimal(38, 6) COMMENT 'Units sold.',
    units_refunded       Decimal(38, 6) COMMENT 'Units of lines that refunds of the day name.',
    units_restocked      Decimal(38, 6) COMMENT 'Those of units_refunded that went back on sale.',
    gross_sales          Nullable(Decimal(38, 12)) COMMENT 'Lines sold at their prices: quantity x unit_price, exact. NULL: over 10^25.',
    discounts            Decimal(38, 6) COMMENT 'Discounts of the lines sold; those of whole orders belong to no product. gross_sales - discounts = revenue.',
    revenue              Nullable(Decimal(38, 12)) COMMENT 'Lines sold: quantity x unit_price - line_discount, exact. NULL: over 10^25.',
    refunds              Nullable(Decimal(38, 12)) COMMENT 'Lines that refunds name: quantity x unit_price minus their share of line_discount, exact to the twelfth decimal. NULL: over 10^25.',
    cogs                 Nullable(Decimal(38, 12)) COMMENT 'Product costs minus the cost of what was restocked, exact; an unknown cost counts 0. Over all products the cogs of daily_metrics. NULL: over 10^25.',
    units_without_cost   Decimal(38, 6) COMMENT 'Those of units_sold whose unit cost is unknown.',
    revenue_without_cost Nullable(Decimal(38, 12)) COMMENT 'Their revenue. NULL: over 10^25.'
)
{definer}
AS WITH
    -- An amount that 38 digits with room for sums do not hold, which no line means, is not shown: most readers know no wider type.
    toDecimal256('10000000000000000000000000', 12) AS most,
    n -> if(n IS NULL OR abs(n) > most, NULL, toDecimal128(least(greatest(n, -most), most), 12)) AS shown
SELECT
    any(p.shop_id) AS shop_id,
    p.day,
    p.day AS on_day,
    ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS currency,
    nullIf(p.sku, '') AS sku,
    nullIf(max(p.title), '') AS title,
    sum(p.units_sold) AS units_sold,
    sum(p.units_returned) AS units_refunded,
    sum(p.units_restocked) AS units_restocked,
    shown(sum(p.revenue) + toDecimal256(sum(p.discounts), 12)) AS gross_sales,
    sum(p.discounts) AS discounts,
    shown(sum(p.revenue)) AS revenue,
    shown(sum(p.refunds)) AS refunds,
    shown(sum(
        toDecimal256(p.units_sold - p.units_restocked, 6)
            * toDecimal256(ifNull(coalesce(p.unit_cost, c.unit_cost), toDecimal128(0, 6)), 6)
    )) AS cogs,
    sumIf(p.units_sold, coalesce(p.unit_cost, c.unit_cost) IS NULL) AS units_without_cost,
    shown(sumIf(p.revenue, coalesce(p.unit_cost, c.unit_cost) IS NULL)) AS revenue_without_cost
FROM
(
    SELECT
        d.shop_id AS shop_id,
        d.day AS day,
        sku,
        cost_day,
        unit_cost,
        title,
        units_sold,
        units_returned,
        units_restocked,
        revenue,
        refunds,
        discounts
    FROM {database}.daily_products AS d {final}
    ARRAY JOIN
        d.products.sku AS sku,
        d.products.cost_day AS cost_day,
        d.products.unit_cost AS unit_cost,
        d.products.title AS title,
        d.products.units_sold AS units_sold,
        d.products.units_returned AS units_returned,
        d.products.units_restocked AS units_restocked,
        d.products.revenue AS revenue,
        d.products.refunds AS refunds,
        d.products.discounts AS discounts
) AS p
ASOF LEFT JOIN
(
    SELECT sku, since, toNullable(unit_cost) AS unit_cost
    FROM {database}.product_costs {final}
) AS c ON p.sku = c.sku AND p.cost_day >= c.since
GROUP BY p.day, p.sku
COMMENT 'What counted orders sold of each SKU, and what refunds brought back; one row a shop, day and SKU.';
