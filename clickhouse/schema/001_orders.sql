-- Newest state of every order, its line items and refunds nested in the order's own row: replacing an order replaces its
-- children in one atomic write, and a child that a re-send left out is gone.
-- Natural key (shop_id, order_id). Version: (updated_at in microseconds << 64) | arrival stamp, so the newest updated_at
-- wins and, when equal, the later push. Ordered by placed day first, because analysts read orders of a range of days; an
-- order that moves to another day gets a tombstone on the day that it left (orders_left, below). A reader that knows only an
-- id finds its day in order_keys; analysts, whose views can't, have indexes by id.
CREATE TABLE IF NOT EXISTS orders
(
    shop_id             String,
    order_id            String,
    version             UInt128,
    is_deleted          UInt8,
    order_name          String,
    placed_at           DateTime64(6, 'UTC') CODEC(GCD, Delta, ZSTD(3)),
    placed_day          Date COMMENT 'local day of the shop',
    updated_at          DateTime64(6, 'UTC') CODEC(GCD, Delta, ZSTD(3)),
    currency            LowCardinality(String),
    status              LowCardinality(String),
    is_test             Bool,
    customer_id         String,
    discounts           Decimal(38, 6),
    shipping            Decimal(38, 6),
    tax                 Nullable(Decimal(38, 6)) COMMENT 'null: not sent',
    taxes_included      Bool,
    tips                Decimal(38, 6),
    duties              Decimal(38, 6),
    rounding_adjustment Decimal(38, 6),
    total               Decimal(38, 6),
    payment_gateway     String,
    gateway             String COMMENT 'payment_gateway as fee rules compare it: gatewayKey',
    gateway_fee         Nullable(Decimal(38, 6)) COMMENT 'an actual; null: not sent',
    fulfillment_cost    Nullable(Decimal(38, 6)) COMMENT 'null: not sent',
    subscription_id     String,
    checkout_token      String COMMENT 'names the visitor; empty: not sent. Not for analysts',
    country             LowCardinality(String) COMMENT 'ISO 3166-1 alpha-2; empty: not sent',
    sales_channel       LowCardinality(String) COMMENT 'empty: not sent',
    discount_codes      Array(LowCardinality(String)) COMMENT 'each once, whatever its case',
    tags                Array(LowCardinality(String)) COMMENT 'each once, whatever its case',
    warnings            Nested
    (
        code LowCardinality(String)
    ) COMMENT 'what is unlikely in it',
    line_items          Nested
    (
        line_id       String,
        quantity      Decimal(38, 6),
        unit_price    Decimal(38, 6),
        sku           String,
        line_discount Decimal(38, 6),
        unit_cost     Nullable(Decimal(38, 6)),
        product_id    String,
        title         String
    ),
    refunds             Nested
    (
        refund_id          String,
        refunded_at        DateTime64(6, 'UTC'),
        refunded_day       Date,
        total              Decimal(38, 6),
        tax_refund         Nullable(Decimal(38, 6)),
        shipping_refund    Decimal(38, 6),
        gateway_fee_refund Decimal(38, 6),
        gift_card_refund   Decimal(38, 6),
        store_credit       Bool
    ),
    refund_lines        Nested
    (
        refund_id String,
        line_id   String,
        quantity  Decimal(38, 6),
        restock   Bool
    ),
    -- For analysts, who ask by id; the expression is that of the views. An id reads one block: with 0.01 it reads four more of 10^6 orders.
    INDEX by_order order_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_customer nullIf(customer_id, '') TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = {engine}ReplacingMergeTree(version, is_deleted)
ORDER BY (shop_id, placed_day, order_id)
SETTINGS index_granularity = 4096;

-- What an order contributes on one local day: the sale on the day of placed_at, refunds and restocks on theirs.
-- Natural key (shop_id, day, order_id), version as in orders. A version always has a row on its placed day, with zeros
-- where the order counts nowhere; a day that an order left gets a tombstone. Ordered by day, because the rollup of a day
-- reads just that range; partitioned by year, which the key contains, so replacement never crosses partitions.
CREATE TABLE IF NOT EXISTS order_days
(
    shop_id              String,
    day                  Date,
    order_id             String,
    version              UInt128,
    occasion             UInt8 COMMENT 'why it is written: 0 the order is new, 1 a version of it was known, 2 its clock; for day_causes',
    is_deleted           UInt8,
    placed_day           Date COMMENT 'unit costs are those of this day, for restocks too',
    orders               UInt8,
    revenue              Decimal(38, 6),
    refunds              Decimal(38, 6),
    gateway_fees         Decimal(38, 6) COMMENT 'actual fee of the sale minus fees refunded on this day',
    gross_sales          Decimal(38, 6) COMMENT 'quantity x unit price of its lines; of no order more than six decimals',
    discounts            Decimal(38, 6) COMMENT 'of lines and order',
    line_discounts       Decimal(38, 6) COMMENT 'of lines alone',
    shipping             Decimal(38, 6),
    tips                 Decimal(38, 6),
    duties               Decimal(38, 6),
    rounding_adjustment  Decimal(38, 6),
    tax_added            Decimal(38, 6) COMMENT 'tax that the prices do not include',
    tax                  Decimal(38, 6),
    tax_refunded         Decimal(38, 6) COMMENT 'of the refunds of this day',
    fulfillment_costs    Decimal(38, 6),
    refunds_without_tax  Decimal(38, 6) COMMENT 'a count: refunds of this day, of an order with tax, that do not say theirs',
    has_gateway_fee      Bool,
    has_tax              Bool,
    has_fulfillment_cost Bool,
    payment_gateway      String COMMENT 'as gatewayKey folds it: lower case',
    lines                Nested
    (
        sku       String,
        quantity  Decimal(38, 6),
        unit_cost Nullable(Decimal(38, 6)),
        restock   Bool
    ),
    refund_list          Nested
    (
        refund_id          String,
        refunded_at        DateTime64(6, 'UTC'),
        total              Decimal(38, 6),
        tax_refund         Nullable(Decimal(38, 6)),
        shipping_refund    Decimal(38, 6),
        gateway_fee_refund Decimal(38, 6),
        gift_card_refund   Decimal(38, 6),
        store_credit       Bool
    ) COMMENT 'refunds of this day',
    refund_lines         Nested
    (
        refund_id  String,
        line_id    String,
        quantity   Decimal(38, 6),
        restock    Bool,
        sku        String,
        unit_price Decimal(38, 6),
        unit_cost  Nullable(Decimal(38, 6)),
        -- Units that the order sold of the line, and the discount of all of them; 0 units: not known, the discount is left out.
        sold          Decimal(38, 6),
        line_discount Decimal(38, 6)
    ) COMMENT 'lines that those refunds name, with what the order says of them'
)
ENGINE = {engine}ReplacingMergeTree(version, is_deleted)
PARTITION BY toYear(day)
ORDER BY (shop_id, day, order_id)
SETTINGS index_granularity = 4096;

-- The days of an order: which versions have a row where, for finding the days that a newer version left and for the stale
-- guard's look-up of the newest version. Natural key (shop_id, order_id, day); ordered by order for point look-ups by id.
CREATE TABLE IF NOT EXISTS order_keys
(
    shop_id    String,
    order_id   String,
    day        Date,
    version    UInt128,
    is_deleted UInt8,
    occasion   UInt8 COMMENT 'as in order_days'
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY (shop_id, order_id, day)
SETTINGS index_granularity = 1024, min_compress_block_size = 16384, max_compress_block_size = 65536;

-- Which orders carry a checkout token, for events that name it. Natural key (shop_id, checkout_token, order_id). An order whose token
-- changed stays under the earlier one: a reader that finds it here reads the order itself.
CREATE TABLE IF NOT EXISTS order_checkouts
(
    shop_id        String,
    checkout_token String,
    order_id       String,
    version        UInt128
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY (shop_id, checkout_token, order_id)
SETTINGS index_granularity = 1024;
