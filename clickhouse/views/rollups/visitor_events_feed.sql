CREATE MATERIALIZED VIEW visitor_events_feed TO visitor_events AS
SELECT
    shop_id,
    anon_id,
    event_id,
    precedence,
    ts,
    received_at,
    type,
    channel,
    evidence,
    arrayFirst(
        id -> id != '',
        [
            e.utm_id, extractURLParameter(e.url, 'gad_campaignid'), extractURLParameter(e.url, 'campaign_id'),
            extractURLParameter(e.url, 'campaignid')
        ]
    ) AS campaign_id,
    cityHash64(
        channel, referrer_host, utm_source, utm_medium, utm_campaign, utm_term, utm_content, campaign_id,
        click_ids.param, click_ids.value
    ) AS arrival,
    cityHash64(url, referrer) AS page,
    if(startsWith(e.url_host, 'www.'), substring(e.url_host, 5), e.url_host) AS url_host,
    if(
        channel IN ('direct', 'internal') OR utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_id != ''
            OR notEmpty(click_ids.param),
        '',
        if(startsWith(referrer_host, 'www.'), substring(referrer_host, 5), referrer_host)
    ) AS bare_referrer,
    -- Links of these sites carry a click id or lead over another host (l.facebook.com, t.co).
    bare_referrer IN (
        'facebook.com', 'm.facebook.com', 'web.facebook.com', 'github.com', 'twitter.com', 'x.com', 'api.twitter.com',
        'api.x.com', 'discord.com', 'access.line.me', 'kauth.kakao.com', 'nid.naver.com', 'id.vk.com', 'id.twitch.tv'
    ) AS is_sign_in,
    e.url_path AS url_path,
    e.referrer_host AS referrer_host,
    e.utm_source AS utm_source,
    e.utm_medium AS utm_medium,
    e.utm_campaign AS utm_campaign,
    e.utm_term AS utm_term,
    e.utm_content AS utm_content,
    e.order_id AS order_id
FROM events AS e;
