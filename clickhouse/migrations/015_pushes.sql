-- Which push wrote a row: the arrival stamps that it took, and who sent it. A row of `orders` holds its stamp in the lower half
-- of its version, so that it need not hold the push. Pushes of before have zeros and empty texts. The log is ordered by the
-- time of arrival, and stamps follow that time, so a granule holds few of them: the index finds the one push of a stamp.
ALTER TABLE ingest_log {on_cluster}
    ADD COLUMN IF NOT EXISTS first_stamp UInt64 COMMENT 'first of the arrival stamps of its items; 0: none was accepted, or not kept',
    ADD COLUMN IF NOT EXISTS last_stamp UInt64,
    ADD COLUMN IF NOT EXISTS key_last4 String COMMENT 'last four characters of the API key',
    ADD COLUMN IF NOT EXISTS request_id String,
    ADD INDEX IF NOT EXISTS stamps (first_stamp, last_stamp) TYPE minmax GRANULARITY 1;
