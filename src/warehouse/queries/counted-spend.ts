/**
 * Spend `s` of the days `first` to `last` in `currency` that no later clear of its day outdates, after `FROM`: its day, label, version
 * and these columns.
 */
export const countedSpend = (columns: readonly string[], more = ''): string => `(
      SELECT a.event_date AS event_date, a.channel AS channel, a.spend AS spend, a.version AS version, ${columns
        .map((name) => `a.${name} AS ${name}`)
        .join(', ')}
      FROM ad_spend AS a FINAL
      WHERE a.shop_id = {shop:String} AND a.event_date BETWEEN {first:Date} AND {last:Date}
        AND a.currency = {currency:String}${more}
    ) AS s
    LEFT JOIN (
      SELECT k.event_date AS event_date, k.channel AS channel, max(k.version) AS version
      FROM ad_spend_clears AS k
      WHERE k.shop_id = {shop:String} AND k.event_date BETWEEN {first:Date} AND {last:Date} AND k.currency = {currency:String}
      GROUP BY k.event_date, k.channel
    ) AS c ON s.event_date = c.event_date AND s.channel = c.channel
    WHERE s.spend != 0 AND s.version >= c.version`;
