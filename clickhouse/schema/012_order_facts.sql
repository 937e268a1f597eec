-- What each order brings on each of its days, with the costs and the credit that are known of it: one row for each row of
-- order_days. Sums of a day are sums of its rows; lists and totals of orders read the rows of the placed day. Natural key (shop_id,
-- day, order_id). Version: (version of the order << 64) | stamp taken before the rebuild reads, so a newer version of the order wins
-- and, when equal, the later rebuild. A rebuild computes only the rows whose version of the order is not here, or not
-- in_products, so nothing has to remember them; after a push of the catalog also those whose stamp is earlier than the change of one of
-- their SKUs (product_cost_changes). A push of costs of orders and a new credit compute those of their orders. Written by the
-- worker (src/domain/metrics/order-fact.ts).
CREATE TABLE IF NOT EXISTS order_facts
(
    shop_id             String,
    day                 Date,
    order_id            String,
    version             UInt256,
    is_deleted          UInt8 COMMENT '1: the order has left the day',
    order_version       UInt128 ALIAS toUInt128(bitShiftRight(version, 64)) COMMENT 'that of the row of order_days',
    in_products         UInt8 COMMENT '1: its SKUs were in daily_products before it was priced, so a push of the catalog finds its day',
    placed_day          Date,
    -- As in order_days, where the order counts; with what order_costs say.
    orders              UInt8,
    revenue             Decimal(38, 6),
    refunds             Decimal(38, 6),
    gateway_fees        Decimal(38, 6),
    gross_sales         Decimal(38, 6),
    discounts           Decimal(38, 6),
    line_discounts      Decimal(38, 6),
    shipping            Decimal(38, 6),
    tips                Decimal(38, 6),
    duties              Decimal(38, 6),
    rounding_adjustment Decimal(38, 6),
    tax_added           Decimal(38, 6),
    tax                 Decimal(38, 6),
    tax_refunded        Decimal(38, 6),
    fulfillment_costs   Decimal(38, 6),
    refunds_without_tax Decimal(38, 6),
    orders_fee_actual   UInt8,
    orders_tax_present  UInt8,
    orders_fulfillment_known UInt8,
    cogs                Decimal(76, 12) COMMENT 'of what was sold on the day minus what was restocked; an unknown cost counts 0',
    uncosted_skus       Array(String) COMMENT 'of lines sold on the day without a unit cost, neither of their own nor in the catalog',
    estimable_gateway   String COMMENT 'as gatewayKey folds it, of a counted order without an actual fee; else empty',
    -- Of order_attribution; empty: no event names the order.
    last_touch          LowCardinality(String),
    last_evidence       LowCardinality(String),
    last_campaign       LowCardinality(String),
    first_touch         LowCardinality(String),
    first_evidence      LowCardinality(String),
    first_campaign      LowCardinality(String),
    touches             UInt32,
    linear              Nested
    (
        channel  LowCardinality(String),
        evidence LowCardinality(String),
        campaign LowCardinality(String),
        touches  UInt32
    ),
    loss                LowCardinality(String),
    -- The order as a whole, whether it counts or not, whatever the days of its refunds. On its placed day alone.
    is_listed           Bool,
    order_name          String,
    placed_at           DateTime64(6, 'UTC') CODEC(GCD, Delta, ZSTD(3)),
    updated_at          DateTime64(6, 'UTC') CODEC(GCD, Delta, ZSTD(3)),
    received_at         UInt64 COMMENT 'arrival stamp of its version' CODEC(Delta, ZSTD(3)),
    status              LowCardinality(String),
    is_test             Bool,
    payment_gateway     LowCardinality(String) COMMENT 'as sent',
    gateway             LowCardinality(String) COMMENT 'as in orders',
    is_warned           Bool,
    has_gateway_fee     Bool,
    order_revenue       Decimal(38, 6),
    order_refunds       Decimal(38, 6),
    refunded_units      Decimal(38, 6) COMMENT 'of lines that its refunds name',
    order_gateway_fees  Decimal(38, 6) COMMENT 'the actual fee, 0 where there is none, minus what refunds gave back of it',
    order_tax           Decimal(38, 6),
    order_tax_refunded  Decimal(38, 6),
    fulfillment_cost    Nullable(Decimal(38, 6)),
    order_cogs          Decimal(76, 12) COMMENT 'of what was not restocked; an unknown cost counts 0',
    lines_without_cost  UInt64,
    skus                Array(String) COMMENT 'of all lines of the order; on another day than the placed one of the lines of the day',
    customer_id         String,
    country             LowCardinality(String),
    sales_channel       LowCardinality(String),
    discount_codes      Array(LowCardinality(String)),
    tags                Array(LowCardinality(String))
)
ENGINE = {engine}ReplacingMergeTree(version, is_deleted)
ORDER BY (shop_id, day, order_id)
SETTINGS index_granularity = 4096;
