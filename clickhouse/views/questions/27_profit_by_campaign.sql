-- Profit by campaign
-- What the orders of each campaign brought, by last touch, beside its spend: that of the campaign_id which they name, else of the campaign_name.
SELECT
    channel,
    campaign,
    sum(counted) AS orders,
    sum(gross_revenue) AS revenue,
    sum(gain) AS profit_before_ads,
    sum(spent) AS ad_spend,
    profit_before_ads - ad_spend AS profit_after_ads
FROM
(
    SELECT
        channel,
        lowerUTF8(ifNull(p.campaign, '')) AS campaign,
        1 AS counted,
        p.revenue AS gross_revenue,
        ifNull(p.profit, 0) AS gain,
        toDecimal128(0, 6) AS spent
    FROM bi.order_profit AS p
    UNION ALL
    SELECT
        order_channel AS channel,
        lowerUTF8(multiIf(
            (order_channel, lowerUTF8(ifNull(s.campaign_id, ''))) IN (
                SELECT channel, lowerUTF8(campaign) FROM bi.order_profit WHERE campaign IS NOT NULL
            ), ifNull(s.campaign_id, ''),
            ifNull(coalesce(s.campaign_name, s.campaign_id), '')
        )) AS campaign,
        0 AS counted,
        toDecimal128(0, 6) AS gross_revenue,
        toDecimal128(0, 6) AS gain,
        ifNull(s.ad_spend, 0) AS spent
    FROM bi.ad_spend AS s
    WHERE s.in_figures
)
WHERE campaign != ''
GROUP BY channel, campaign
ORDER BY profit_after_ads, channel, campaign
