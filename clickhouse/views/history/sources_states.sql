CREATE MATERIALIZED VIEW sources_states TO setting_states AS
SELECT
    shop_id,
    'source' AS kind,
    '' AS id,
    version,
    toUInt8(0) AS is_deleted,
    [[toString(currency), toString(timezone), toString(convert_spend)]] AS terms
FROM sources;
