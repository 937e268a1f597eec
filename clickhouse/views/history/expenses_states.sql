-- The last day is a number of days from 1970-01-01, inclusive; empty: goes on.
CREATE MATERIALIZED VIEW expenses_states TO setting_states AS
SELECT
    shop_id,
    'expense' AS kind,
    expense_id AS id,
    version,
    is_deleted,
    [[
        toString(amount), toString(currency), toString(frequency), toString(started_on),
        ifNull(toString(end_day), ''), toString(counts_as_ad_spend)
    ]] AS terms
FROM expenses;
