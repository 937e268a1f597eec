CREATE OR REPLACE VIEW bi.ad_spend
(
    shop_id          String COMMENT 'Shop. A BI user sees its own alone.',
    day              Date COMMENT 'Day of the spend, as pushed. Filter by it: spend is stored by day.',
    on_day           Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    channel          String COMMENT 'Label of the channel as pushed, custom:<slug>.',
    order_channel    String COMMENT 'Channel of orders that the spend belongs to; the label itself where it names none.',
    currency         String COMMENT 'Currency of the spend, ISO 4217; the account of the channel.',
    in_figures       Bool COMMENT 'True when it counts: its currency is that of the shop, or the source converts (convert_spend) and has a rate. Other spend is left out of all figures.',
    ad_spend         Nullable(Decimal(38, 6)) COMMENT 'What it counts in the currency of the shop: spend, or spend x rate rounded to six decimals; NULL where it is left out. Figures sum the exact products.',
    rate             Nullable(Decimal(38, 12)) COMMENT 'What one unit of its currency counts in that of the shop; NULL where nothing is converted.',
    rate_day         Nullable(Date) COMMENT 'Day of the rate: that of the spend, else the newest of the seven days before; NULL where nothing is converted.',
    campaign_id      Nullable(String) COMMENT 'Campaign; NULL when not sent.',
    campaign_name    Nullable(String) COMMENT 'Name of the campaign; NULL when not sent.',
    adset_id         Nullable(String) COMMENT 'Ad set; NULL when not sent.',
    adset_name       Nullable(String) COMMENT 'Name of the ad set; NULL when not sent.',
    ad_id            Nullable(String) COMMENT 'Ad; NULL when not sent.',
    ad_name          Nullable(String) COMMENT 'Name of the ad; NULL when not sent.',
    spend            Decimal(38, 6) COMMENT 'Money spent, in currency, as pushed.',
    impressions      Nullable(UInt64) COMMENT 'Impressions; NULL when not sent.',
    clicks           Nullable(UInt64) COMMENT 'Clicks; NULL when not sent.',
    conversions      Nullable(Float64) COMMENT 'Conversions that the channel claims; NULL when not sent.',
    conversion_value Nullable(Decimal(38, 6)) COMMENT 'Value that the channel claims; NULL when not sent.'
)
{definer}
AS WITH ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS shop_currency,
    ifNull(r.rate, 0) > 0 AND a.event_date <= r.until AS has_rate
SELECT
    a.shop_id AS shop_id,
    a.event_date AS day,
    a.event_date AS on_day,
    a.channel AS channel,
    a.order_channel AS order_channel,
    a.currency AS currency,
    toBool(a.currency = shop_currency OR has_rate) AS in_figures,
    multiIf(
        a.currency = shop_currency, a.spend,
        has_rate, toDecimal128(round(toDecimal256(a.spend, 6) * ifNull(r.rate, 0), 6), 6),
        NULL
    ) AS ad_spend,
    if(has_rate, r.rate, NULL) AS rate,
    if(has_rate, r.day, NULL) AS rate_day,
    nullIf(a.campaign_id, '') AS campaign_id,
    nullIf(a.campaign_name, '') AS campaign_name,
    nullIf(a.adset_id, '') AS adset_id,
    nullIf(a.adset_name, '') AS adset_name,
    nullIf(a.ad_id, '') AS ad_id,
    nullIf(a.ad_name, '') AS ad_name,
    a.spend AS spend,
    a.impressions AS impressions,
    a.clicks AS clicks,
    a.conversions AS conversions,
    a.conversion_value AS conversion_value
FROM
(
    SELECT
        shop_id, event_date, toString(channel) AS channel, toString(order_channel) AS order_channel,
        toString(currency) AS currency, campaign_id, campaign_name, adset_id, adset_name, ad_id, ad_name, spend,
        impressions, clicks, conversions, conversion_value, version
    FROM {database}.ad_spend {final}
) AS a
LEFT JOIN
(
    SELECT shop_id, event_date, toString(channel) AS channel, toString(currency) AS currency, max(version) AS cleared
    FROM {database}.ad_spend_clears
    GROUP BY shop_id, event_date, channel, currency
) AS c ON a.shop_id = c.shop_id AND a.event_date = c.event_date AND a.channel = c.channel AND a.currency = c.currency
ASOF LEFT JOIN {counting_rates} AS r ON a.shop_id = r.shop_id AND a.currency = r.currency AND a.event_date >= r.day
WHERE a.spend != 0 AND a.version >= c.cleared
COMMENT 'Ad spend as pushed, one row a day, channel, currency and campaign, ad set or ad where given; cleared days and rows of 0 are left out.';
