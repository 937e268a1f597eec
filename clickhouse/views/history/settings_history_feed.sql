CREATE MATERIALIZED VIEW settings_history_feed TO settings_history AS
WITH toUInt64(18446744073709551615) AS open_end
SELECT
    e.shop_id AS shop_id,
    e.kind AS kind,
    e.id AS id,
    e.row.1 AS valid_until,
    e.row.2 AS valid_from,
    e.row.3 AS computed_at,
    e.row.4 AS is_deleted,
    e.row.5 AS terms
FROM
(
    SELECT
        c.shop_id AS shop_id,
        c.kind AS kind,
        c.id AS id,
        arrayJoin(
            arrayConcat(
                [(open_end, if(c.is_known, if(c.is_same, c.old_since, toUInt64(0)), c.now_at), c.version, c.is_deleted, c.terms)],
                if(c.is_known AND NOT c.is_same, [(c.now_at, c.old_since, c.old_version, c.was_deleted, c.old_terms)], [])
            )
        ) AS row
    FROM
    (
        SELECT
            n.shop_id AS shop_id,
            n.kind AS kind,
            n.id AS id,
            toUInt64(toUnixTimestamp64Micro(nowInBlock64(6))) AS now_at,
            n.version AS version,
            n.is_deleted AS is_deleted,
            n.terms AS terms,
            h.valid_until = open_end AS is_known,
            h.valid_from AS old_since,
            h.computed_at AS old_version,
            h.is_deleted AS was_deleted,
            h.terms AS old_terms,
            h.valid_until = open_end AND n.is_deleted = h.is_deleted AND n.terms = h.terms AS is_same
        FROM setting_states AS n
        LEFT JOIN
        (
            SELECT *
            FROM settings_history FINAL
            WHERE valid_until = open_end AND (shop_id, kind, id) IN (SELECT shop_id, kind, id FROM setting_states)
        ) AS h ON h.shop_id = n.shop_id AND h.kind = n.kind AND h.id = n.id
        WHERE h.computed_at <= n.version
    ) AS c
) AS e;
