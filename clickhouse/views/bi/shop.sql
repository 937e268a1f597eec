CREATE OR REPLACE VIEW bi.shop
(
    shop_id       String COMMENT 'Shop. A BI user sees its own alone.',
    platform      String COMMENT 'Label of the commerce platform.',
    currency      String COMMENT 'Currency of all figures, ISO 4217.',
    timezone      String COMMENT 'IANA time zone whose days all days are.',
    shop_domain   Nullable(String) COMMENT 'Domain of the shop; NULL for none.',
    own_hosts     Array(String) COMMENT 'Further hosts of the shop.',
    registered_at DateTime64(3, 'UTC') COMMENT 'When the source was registered first, UTC.',
    today         Date COMMENT 'The current day in the time zone of the shop.'
)
{definer}
AS WITH
    {local_day}
SELECT
    s.shop_id,
    s.platform,
    s.currency,
    s.timezone,
    nullIf(s.shop_domain, '') AS shop_domain,
    s.own_hosts,
    s.registered_at,
    local_day(now('UTC')) AS today
FROM {database}.sources AS s {final}
COMMENT 'The shop: one row.';
