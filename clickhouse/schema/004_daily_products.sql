-- Two steps from orders to figures. First what the orders of a day come to without the catalog (daily_products: sums,
-- products, baskets), then the figures of the day from that and the catalog (daily_orders). A catalog push repeats the
-- second step alone, which reads a row a day instead of every order.
--
-- The stamp of the second step is taken after the row of the first was stored. A computation under an earlier stamp may have
-- read an older row, and loses; one under a later stamp has read this row.

-- The trigger of the first step: a row requests one day of one shop. It stores nothing; the view on it does the work. To rebuild by hand:
--   INSERT INTO rollup_requests SELECT DISTINCT shop_id, day, toUnixTimestamp64Micro(now64(6)) FROM order_days WHERE …
CREATE TABLE IF NOT EXISTS rollup_requests
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken before the rebuild reads'
)
ENGINE = Null;

-- What a shop sold on a day: sums of its orders, of each SKU what was sold and what came back. Natural key (shop_id, day),
-- version computed_at: a day is replaced as a whole, so a SKU that left it is gone, and a day that lost its last order has an
-- empty row. Ordered by day, because readers read ranges of days; small granules, since a row holds all articles of its
-- day. Nothing of the catalog is in it: units without a unit cost of their own are priced when they are read, by the catalog
-- of their cost day. Entries add up over the days.
CREATE TABLE IF NOT EXISTS daily_products
(
    shop_id     String,
    day         Date,
    computed_at UInt64 COMMENT 'arrival stamp taken before the rebuild reads',
    sums        Map(LowCardinality(String), Decimal(76, 12)) COMMENT 'by the names of domain/metrics/sums.ts; zeros are left out',
    estimable   Nested
    (
        payment_gateway String,
        orders          UInt64,
        revenue         Decimal(38, 6)
    ) COMMENT 'orders without an actual fee, by payment gateway',
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
    ) COMMENT 'an entry a SKU, cost day and unit cost, sales and returns apart',
    -- Which orders a missing cost would leave without coverage: an entry an order that needs the catalog.
    baskets     Nested
    (
        skus    Array(String),
        revenue Decimal(38, 6)
    ) COMMENT 'skus: of its lines without a unit cost of their own',
    known       Nested
    (
        order_id         String,
        gateway_fee      Nullable(Decimal(38, 6)),
        fulfillment_cost Nullable(Decimal(38, 6))
    ) COMMENT 'what order_costs say of the orders that were placed on the day; null: nothing'
)
ENGINE = {engine}ReplacingMergeTree(computed_at)
ORDER BY (shop_id, day)
SETTINGS index_granularity = 64;
