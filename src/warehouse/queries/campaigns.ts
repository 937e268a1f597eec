import { Type } from 'typebox';
import { UNATTRIBUTED_CHANNEL } from '../../domain/attribution/attribution.js';
import type { CampaignPart, CampaignSpend } from '../../domain/attribution/campaign-match.js';
import type { DayRange } from '../../domain/metrics/range.js';
import type { ShopCurrency } from '../../domain/source.js';
import { formatDay } from '../../domain/time.js';
import type { AttributionModel } from '../../schemas/attribution.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';
import { countedSpend, worthOfSpend } from './counted-spend.js';

/** What campaigns are credited with in a range of days, and what was spent on them in the currency of the shop. */
export type CampaignReader = (
  shopId: string,
  range: DayRange,
  asked: { model: AttributionModel; source: ShopCurrency },
) => Promise<{ parts: CampaignPart[]; spend: CampaignSpend[] }>;

/** Campaigns that orders name, of those with the most revenue; others count as none. */
const MAX_CAMPAIGNS = 1_000;

const CAMPAIGN_CREDITS = defineQuery('credit of campaigns', {
  ...texts('channel', 'evidence', 'campaign', 'spelling', 'last', 'payment_gateway'),
  parts: Type.Number(),
  ...texts('orders', 'revenue', 'refunds', 'gateway_fees', 'cogs'),
});
const CAMPAIGN_SPEND = defineQuery(
  'spend of campaigns',
  texts('channel', 'campaign_id', 'campaign_name', 'id_key', 'name_key', 'last', 'amount'),
);

/** The form by which campaigns are compared: a visit's are without needless blanks already. */
const folded = (text: string): string => `lowerUTF8(trimBoth(replaceRegexpAll(${text}, '[\\\\s\\\\p{Z}]+', ' ')))`;

/** Channel, evidence, campaign, weight of it in `parts`. */
const SHARES: Record<AttributionModel, string> = {
  last_touch: '[(toString(f.last_touch), toString(f.last_evidence), toString(f.last_campaign), 1)]',
  first_touch: '[(toString(f.first_touch), toString(f.first_evidence), toString(f.first_campaign), 1)]',
  linear: `arrayMap((c, e, n, w) -> (toString(c), toString(e), toString(n), w),
          f.linear.channel, f.linear.evidence, f.linear.campaign, f.linear.touches)`,
};
const AMOUNTS = ['orders', 'revenue', 'refunds', 'gateway_fees', 'cogs'] as const;

/** From the rows of orders, since no sum of a day is kept by campaign. */
function creditsQuery(model: AttributionModel): string {
  const weighted = AMOUNTS.map((name) => {
    const amount = name === 'orders' ? 'toInt64(f.orders)' : `toDecimal256(f.${name}, ${name === 'cogs' ? 12 : 6})`;
    return `sum(${amount} * share.4) AS ${name}`;
  });
  return `SELECT channel, evidence, if(place <= ${MAX_CAMPAIGNS}, key, '') AS campaign, spelling, last, payment_gateway, parts,
      ${AMOUNTS.map((name) => `toString(${name}) AS ${name}`).join(', ')}
    FROM (
      SELECT *, dense_rank() OVER (ORDER BY key = '', credited DESC, channel, key) AS place
      FROM (
        SELECT *, sum(revenue / parts) OVER (PARTITION BY channel, key) AS credited
        FROM (
          SELECT share.1 AS channel, share.2 AS evidence, ${folded('share.3')} AS key, f.estimable_gateway AS payment_gateway,
            toUInt32(${model === 'linear' ? 'greatest(f.touches, 1)' : '1'}) AS parts,
            argMax(share.3, (f.day, share.3)) AS spelling, toString(max(f.day)) AS last, ${weighted.join(', ')}
          FROM order_facts AS f FINAL
          ARRAY JOIN if(empty(f.last_touch), [('${UNATTRIBUTED_CHANNEL}', 'ambiguous', '', 1)], ${SHARES[model]}) AS share
          WHERE f.shop_id = {shop:String} AND f.day BETWEEN {first:Date} AND {last:Date}
          GROUP BY channel, evidence, key, payment_gateway, parts
          HAVING max(f.orders != 0 OR f.revenue != 0 OR f.refunds != 0 OR f.gateway_fees != 0 OR f.cogs != 0)
        )
      )
    )`;
}

const spendQuery = (
  converts: boolean,
): string => `SELECT toString(s.channel) AS channel, s.campaign_id AS campaign_id, s.campaign_name AS campaign_name,
      ${folded('campaign_id')} AS id_key, ${folded('campaign_name')} AS name_key, toString(max(s.event_date)) AS last,
      toString(sum(${worthOfSpend(converts)})) AS amount
    FROM ${countedSpend(['campaign_id', 'campaign_name'], converts)} AND (s.campaign_id != '' OR s.campaign_name != '')
    GROUP BY channel, campaign_id, campaign_name ORDER BY channel, campaign_id, campaign_name`;

export function createCampaignReader(warehouse: Warehouse): CampaignReader {
  return async (shopId, range, { model, source: { currency, convertSpend = false } }) => {
    const days = { shop: shopId, first: formatDay(range.from), last: formatDay(range.to) };
    const [parts, spend] = await Promise.all([
      warehouse.ask(CAMPAIGN_CREDITS(creditsQuery(model), days)),
      warehouse.ask(CAMPAIGN_SPEND(spendQuery(convertSpend), { ...days, currency })),
    ]);
    return { parts, spend };
  };
}
