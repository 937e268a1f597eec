-- 1970-01-01 is a day like any other, and a version without a first day is a key of its own before it. Rows that are stored
-- already, and those of pushes that were queued before, keep their meaning: their 1970-01-01 stands for "from the beginning".
-- A new key column can be added in one step and without a copy only when it is 0 in all rows there are; a wider type can't.
-- Natural key (shop_id, sku, effective_from, is_epoch_day), which is (shop_id, sku, since): the way versions are listed. The rebuild that
-- joins by `since` is in 008_revenue_without_cost.sql.
ALTER TABLE product_costs {on_cluster}
    ADD COLUMN IF NOT EXISTS is_epoch_day UInt8 COMMENT '1: the version of 1970-01-01 itself; 0 on that date: from the beginning; 0 on all other dates' AFTER effective_from,
    ADD COLUMN IF NOT EXISTS since Date32 ALIAS if(toUInt16(effective_from) = 0 AND is_epoch_day = 0, toDate32('1900-01-01'), toDate32(effective_from)) COMMENT 'first day of the version; 1900-01-01: from the beginning',
    MODIFY ORDER BY (shop_id, sku, effective_from, is_epoch_day);
