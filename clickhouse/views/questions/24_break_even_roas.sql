-- Break-even ROAS of channels
-- What a unit of ad spend brings, and what it has to bring for the profit to be nothing: revenue / (profit + ad_spend). By last touch.
SELECT
    d.channel AS channel,
    sum(d.revenue) AS revenue,
    sum(d.ad_spend) AS ad_spend,
    sum(d.profit) AS profit,
    round(toFloat64(sum(d.revenue)) / nullIf(toFloat64(sum(d.ad_spend)), 0), 4) AS roas,
    if(
        sum(d.profit) + sum(d.ad_spend) > 0,
        round(toFloat64(sum(d.revenue)) / nullIf(toFloat64(sum(d.profit) + sum(d.ad_spend)), 0), 4),
        NULL
    ) AS break_even_roas
FROM bi.daily_channels AS d
WHERE d.model = 'last_touch'
GROUP BY channel
ORDER BY ad_spend DESC, channel
