CREATE OR REPLACE VIEW bi.products
(
    shop_id              String COMMENT 'Shop. A BI user sees its own alone.',
    sku                  Nullable(String) COMMENT 'SKU; NULL: all lines without one.',
    title                Nullable(String) COMMENT 'Title of the last day with one; NULL when none has one.',
    first_day            Date COMMENT 'First local day with a sale or a refund.',
    last_day             Date COMMENT 'Last such day.',
    currency             String COMMENT 'Currency of all amounts, ISO 4217.',
    units_sold           Decimal(38, 6) COMMENT 'Units sold.',
    units_refunded       Decimal(38, 6) COMMENT 'Units of lines that refunds name.',
    revenue              Decimal(76, 12) COMMENT 'Lines sold: quantity x unit_price - line_discount, exact.',
    refunds              Decimal(76, 12) COMMENT 'Lines that refunds name.',
    cogs                 Decimal(76, 12) COMMENT 'Product costs minus the cost of what was restocked; an unknown cost counts 0.',
    gross_profit         Decimal(76, 12) COMMENT 'revenue - refunds - cogs.',
    units_without_cost   Decimal(38, 6) COMMENT 'Those of units_sold whose unit cost is unknown.',
    revenue_without_cost Decimal(76, 12) COMMENT 'Their revenue.'
)
{definer}
AS SELECT
    p.shop_id,
    p.sku,
    argMaxIf(p.title, p.day, p.title IS NOT NULL) AS title,
    min(p.day) AS first_day,
    max(p.day) AS last_day,
    any(p.currency) AS currency,
    sum(p.units_sold) AS units_sold,
    sum(p.units_refunded) AS units_refunded,
    sum(p.revenue) AS revenue,
    sum(p.refunds) AS refunds,
    sum(p.cogs) AS cogs,
    revenue - refunds - cogs AS gross_profit,
    sum(p.units_without_cost) AS units_without_cost,
    sum(p.revenue_without_cost) AS revenue_without_cost
FROM bi.daily_products AS p
GROUP BY p.shop_id, p.sku
COMMENT 'What was ever sold of each SKU, one row a SKU; for a range of days sum daily_products.';
