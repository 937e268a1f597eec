CREATE OR REPLACE VIEW bi.rates
(
    shop_id  String COMMENT 'Shop. A BI user sees its own alone.',
    day      Date COMMENT 'Day of the rate, in the time zone of the shop.',
    on_day   Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    currency String COMMENT 'The other currency, ISO 4217.',
    rate     Decimal(38, 12) COMMENT 'What one unit of currency is worth in the currency of the shop.'
)
{definer}
AS SELECT r.shop_id, r.day, r.day AS on_day, toString(r.currency) AS currency, r.rate
FROM {database}.rates AS r {final}
WHERE r.shop_currency = ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '')
COMMENT 'Exchange rates as pushed, one row a currency and day.';
