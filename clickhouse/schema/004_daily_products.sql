-- From orders to figures. First the orders that have changed are read, then what their days sold of each SKU is stored
-- (daily_products, src/warehouse/queries/day-products.ts). Then a row for each of these orders (012_order_facts.sql), priced by the catalog, and
-- from all rows the figures of the day (daily_orders), which the worker writes (src/warehouse/queries/rollups.ts). A catalog push
-- computes the rows and the figures alone. To compute all of a day by hand: profit rollups rebuild.
--
-- The catalog is read after the SKUs of these orders were stored here: a push of the catalog either finds them, or was stored before
-- they were priced.

-- What a shop sold on a day: of each SKU what was sold and what came back. Natural key (shop_id, day),
-- version computed_at: a day is replaced as a whole, so a SKU that left it is gone, and a day that lost its last order has an
-- empty row. Ordered by day, because readers read ranges of days; small granules, since a row holds all articles of its
-- day. Nothing of the catalog is in it: units without a unit cost of their own are priced when they are read, by the catalog
-- of their cost day. Entries add up over the days.
CREATE TABLE IF NOT EXISTS daily_products
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken before the rebuild reads',
    products    Nested
    (
        -- Empty: lines without one.
        sku             String,
        -- Day of the order, whose catalog applies, for what comes back too.
        cost_day        Date,
        -- What the lines say; null: nothing.
        unit_cost       Nullable(Decimal(38, 6)),
        -- The newest of the lines sold; empty: none.
        title           String,
        lines_sold      UInt64,
        units_sold      Decimal(38, 6),
        -- Of lines that refunds name, and those of them that went back on sale.
        units_returned  Decimal(38, 6),
        units_restocked Decimal(38, 6),
        -- Lines sold after their discounts, and lines that refunds name at their unit price.
        revenue         Decimal(76, 12),
        refunds         Decimal(76, 12),
        -- Of lines sold, which the revenue is without.
        discounts       Decimal(38, 6)
    ) COMMENT 'an entry a SKU, cost day and unit cost, sales and returns apart'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day)
SETTINGS index_granularity = 64;
