-- Gateways, percents and fixed amounts, by rule.
CREATE MATERIALIZED VIEW gateway_fee_rules_states TO setting_states AS
SELECT
    shop_id,
    'fee_rule' AS kind,
    '' AS id,
    version,
    toUInt8(0) AS is_deleted,
    [rules.payment_gateway, CAST(rules.percent, 'Array(String)'), CAST(rules.fixed, 'Array(String)')] AS terms
FROM gateway_fee_rules;
