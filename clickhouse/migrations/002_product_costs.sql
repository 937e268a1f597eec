-- Time-versioned unit costs. Natural key (shop_id, sku, effective_from); 1970-01-01 stands for "from the beginning".
-- Version: arrival stamp, the newest push wins. Ordered by SKU and day, the order in which the ASOF join reads it.
CREATE TABLE IF NOT EXISTS product_costs {on_cluster}
(
    shop_id        String,
    sku            String,
    effective_from Date,
    unit_cost      Decimal(38, 6),
    currency       LowCardinality(String),
    version        UInt64,
    is_deleted     UInt8
)
ENGINE = {engine}ReplacingMergeTree(version, is_deleted)
ORDER BY (shop_id, sku, effective_from)
SETTINGS index_granularity = 1024;
