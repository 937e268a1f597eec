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
    gross_sales          Nullable(Decimal(38, 12)) COMMENT 'Lines sold at their prices: quantity x unit_price, exact. NULL: over 10^25.',
    discounts            Decimal(38, 6) COMMENT 'Discounts of the lines sold; those of whole orders belong to no product. gross_sales - discounts = revenue.',
    revenue              Nullable(Decimal(38, 12)) COMMENT 'Lines sold: quantity x unit_price - line_discount, exact. NULL: over 10^25.',
    refunds              Nullable(Decimal(38, 12)) COMMENT 'Lines that refunds name. NULL: over 10^25.',
    cogs                 Nullable(Decimal(38, 12)) COMMENT 'Product costs minus the cost of what was restocked; an unknown cost counts 0. NULL: over 10^25.',
    gross_profit         Nullable(Decimal(38, 12)) COMMENT 'revenue - refunds - cogs. NULL: over 10^25.',
    units_without_cost   Decimal(38, 6) COMMENT 'Those of units_sold whose unit cost is unknown.',
    revenue_without_cost Nullable(Decimal(38, 12)) COMMENT 'Their revenue. NULL: over 10^25.'
)
{definer}
AS WITH
    -- An amount that 38 digits with room for sums do not hold, which no line means, is not shown: most readers know no wider type.
    toDecimal256('10000000000000000000000000', 12) AS most,
    n -> if(n IS NULL OR abs(n) > most, NULL, toDecimal128(least(greatest(n, -most), most), 12)) AS shown,
    amount -> if(count(amount) < count(), NULL, sum(toDecimal256(amount, 12))) AS total
SELECT
    p.shop_id,
    p.sku,
    argMaxIf(p.title, p.day, p.title IS NOT NULL) AS title,
    min(p.day) AS first_day,
    max(p.day) AS last_day,
    any(p.currency) AS currency,
    sum(p.units_sold) AS units_sold,
    sum(p.units_refunded) AS units_refunded,
    shown(total(p.gross_sales)) AS gross_sales,
    sum(p.discounts) AS discounts,
    shown(total(p.revenue)) AS revenue,
    shown(total(p.refunds)) AS refunds,
    shown(total(p.cogs)) AS cogs,
    shown(total(p.revenue) - total(p.refunds) - total(p.cogs)) AS gross_profit,
    sum(p.units_without_cost) AS units_without_cost,
    shown(total(p.revenue_without_cost)) AS revenue_without_cost
FROM bi.daily_products AS p
GROUP BY p.shop_id, p.sku
COMMENT 'What was ever sold of each SKU, one row a SKU; for a range of days sum daily_products.';
