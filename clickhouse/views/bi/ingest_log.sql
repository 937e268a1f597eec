CREATE OR REPLACE VIEW bi.ingest_log
(
    shop_id      String COMMENT 'Shop. A BI user sees its own alone.',
    kind         String COMMENT 'What was pushed: orders, spend, product_costs, order_costs, expenses, gateway_fees, rates or events.',
    received_at  DateTime64(3, 'UTC') COMMENT 'When the push arrived, UTC.',
    received_day Date COMMENT 'Day of received_at in the time zone of the shop.',
    batch_id     String COMMENT 'Key of the push.',
    accepted     UInt32 COMMENT 'Items accepted.',
    rejected     UInt32 COMMENT 'Items rejected.',
    superseded   UInt32 COMMENT 'Items older than what was stored.',
    error_codes  Array(String) COMMENT 'Codes of the rejections, each once.',
    error_counts Array(UInt32) COMMENT 'How often each of error_codes occurred.',
    error_samples Array(String) COMMENT 'A message for each of error_codes.'
)
{definer}
AS WITH
    {local_day}
SELECT
    i.shop_id,
    i.kind,
    i.received_at,
    local_day(i.received_at) AS received_day,
    i.batch_id,
    i.accepted,
    i.rejected,
    i.superseded,
    i.errors.code AS error_codes,
    i.errors.count AS error_counts,
    i.errors.sample AS error_samples
FROM {database}.ingest_log AS i {final}
COMMENT 'Pushes of the last 400 days, one row a request.';
