-- By day first, since the rates of a range of days are read.
CREATE MATERIALIZED VIEW rates_states TO setting_states AS
SELECT
    shop_id,
    'rates' AS kind,
    concat(toString(day), ' ', toString(currency)) AS id,
    version,
    is_deleted,
    [[toString(rate), toString(shop_currency)]] AS terms
FROM rates;
