CREATE OR REPLACE VIEW bi.product_costs
(
    shop_id            String COMMENT 'Shop. A BI user sees its own alone.',
    sku                String COMMENT 'SKU.',
    effective_from     Date COMMENT 'First local day on which this cost holds, until the next version of the SKU; 1970-01-01 where from_the_beginning.',
    unit_cost          Decimal(38, 6) COMMENT 'Cost of one unit.',
    currency           String COMMENT 'Currency of unit_cost, ISO 4217.',
    from_the_beginning Bool COMMENT 'True: it was sent without a first day and holds before every other version of the SKU.'
)
{definer}
AS SELECT p.shop_id, p.sku, p.effective_from, p.unit_cost, p.currency, CAST(p.since < p.effective_from, 'Bool') AS from_the_beginning
FROM {database}.product_costs AS p {final}
COMMENT 'Catalog of unit costs, one row a SKU and first day.';
