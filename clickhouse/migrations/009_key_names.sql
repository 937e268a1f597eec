-- What people call a key, shown in lists beside its prefix and last four. Keys made before have none.
ALTER TABLE api_keys {on_cluster} ADD COLUMN IF NOT EXISTS name String DEFAULT '' COMMENT 'given by people; may be empty' AFTER shop_id;
