-- Which shop a BI user sees: the row filters of the views look up here who signed in, so nobody but the service writes it.
-- Natural key user_name, version: milliseconds of the write, made increasing for each user. Ordered by the name, the only
-- way it is read.
CREATE TABLE IF NOT EXISTS bi_users {on_cluster}
(
    user_name  String,
    shop_id    String,
    version    UInt64,
    is_deleted UInt8 DEFAULT 0
)
ENGINE = {engine}ReplacingMergeTree(version)
ORDER BY user_name
SETTINGS index_granularity = 256;
