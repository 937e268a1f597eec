CREATE OR REPLACE VIEW bi.ad_spend
(
    shop_id          String COMMENT 'Shop. A BI user sees its own alone.',
    day              Date COMMENT 'Day of the spend, as pushed. Filter by it: spend is stored by day.',
    on_day           Date COMMENT 'The same day under a name that no tool gives to a truncated day.',
    channel          String COMMENT 'Label of the channel as pushed, custom:<slug>.',
    order_channel    String COMMENT 'Channel of orders that the spend belongs to; the label itself where it names none.',
    currency         String COMMENT 'Currency of the spend, ISO 4217; the account of the channel.',
    in_figures       Bool COMMENT 'True when the currency is that of the shop. Other spend counts in no figure of these views; bi.rates has what it is worth where rates were pushed.',
    campaign_id      Nullable(String) COMMENT 'Campaign; NULL when not sent.',
    campaign_name    Nullable(String) COMMENT 'Name of the campaign; NULL when not sent.',
    adset_id         Nullable(String) COMMENT 'Ad set; NULL when not sent.',
    adset_name       Nullable(String) COMMENT 'Name of the ad set; NULL when not sent.',
    ad_id            Nullable(String) COMMENT 'Ad; NULL when not sent.',
    ad_name          Nullable(String) COMMENT 'Name of the ad; NULL when not sent.',
    spend            Decimal(38, 6) COMMENT 'Money spent.',
    impressions      Nullable(UInt64) COMMENT 'Impressions; NULL when not sent.',
    clicks           Nullable(UInt64) COMMENT 'Clicks; NULL when not sent.',
    conversions      Nullable(Float64) COMMENT 'Conversions that the channel claims; NULL when not sent.',
    conversion_value Nullable(Decimal(38, 6)) COMMENT 'Value that the channel claims; NULL when not sent.'
)
{definer}
AS SELECT
    a.shop_id,
    a.event_date AS day,
    a.event_date AS on_day,
    a.channel,
    a.order_channel,
    a.currency,
    a.currency = ifNull((SELECT if(count() = 0, '', any(currency)) FROM {database}.sources {final}), '') AS in_figures,
    nullIf(a.campaign_id, '') AS campaign_id,
    nullIf(a.campaign_name, '') AS campaign_name,
    nullIf(a.adset_id, '') AS adset_id,
    nullIf(a.adset_name, '') AS adset_name,
    nullIf(a.ad_id, '') AS ad_id,
    nullIf(a.ad_name, '') AS ad_name,
    a.spend,
    a.impressions,
    a.clicks,
    a.conversions,
    a.conversion_value
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
WHERE a.spend != 0 AND a.version >= c.cleared
COMMENT 'Ad spend as pushed, one row a day, channel, currency and campaign, ad set or ad where given; cleared days and rows of 0 are left out.';
