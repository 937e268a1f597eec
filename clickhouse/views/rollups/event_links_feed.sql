CREATE MATERIALIZED VIEW event_links_feed TO event_links AS
SELECT
    shop_id,
    arrayJoin(
        arrayConcat(
            [concat('v:', anon_id)],
            if(order_id = '', [], [concat('o:', order_id)]),
            if(checkout_token = '', [], [concat('c:', checkout_token)])
        )
    ) AS subject,
    event_id,
    precedence,
    ts,
    received_at,
    type = 'purchase' AS is_purchase,
    anon_id,
    order_id,
    checkout_token
FROM events
WHERE order_id != '' OR checkout_token != '';
