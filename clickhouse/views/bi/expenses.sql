CREATE OR REPLACE VIEW bi.expenses
(
    shop_id            String COMMENT 'Shop. A BI user sees its own alone.',
    external_id        Nullable(String) COMMENT 'Key that the client gave; NULL for an expense made in the app.',
    name               String COMMENT 'Name.',
    category           String COMMENT 'software, tools, va, marketing or other.',
    amount             Decimal(38, 6) COMMENT 'Amount; a percentage where frequency is percent_of_revenue.',
    currency           String COMMENT 'Currency of amount, ISO 4217.',
    in_figures         Bool COMMENT 'True when the currency is that of the shop, or the source converts (convert_spend): then it counts on days that have a rate in bi.rates or in the seven days before. A percentage of revenue is never converted.',
    frequency          String COMMENT 'monthly, weekly, yearly, one_time, per_order or percent_of_revenue.',
    started_on         Date COMMENT 'First local day on which it accrues.',
    ended_on           Nullable(Date) COMMENT 'Last local day, and 2148-12-31 for any later one; NULL: goes on.',
    counts_as_ad_spend Bool COMMENT 'True when it is part of ad_spend, else of operating_expenses of daily_metrics.'
)
{definer}
AS WITH
    (SELECT if(count() = 0, ('', false), any((toString(currency), convert_spend))) FROM {database}.sources {final}) AS source
SELECT
    e.shop_id,
    e.external_id,
    e.name,
    e.category,
    e.amount,
    e.currency,
    toBool(e.currency = source.1 OR source.2 AND e.frequency != 'percent_of_revenue') AS in_figures,
    e.frequency,
    e.started_on,
    e.ended_on,
    e.counts_as_ad_spend
FROM {database}.expenses AS e {final}
COMMENT 'Recurring costs, one row an expense. What they come to by day stands in daily_metrics.';
