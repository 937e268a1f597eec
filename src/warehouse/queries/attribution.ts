import { Type } from 'typebox';
import type { AttributionModel } from '../../schemas/attribution.js';
import type { CreditPart } from '../../domain/attribution/channel-credit.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { ONE_THREAD } from '../sql.js';
import { defineQuery, texts, type Query, type RowOf } from '../query.js';

/** What channels are credited with in a range of days; a channel without credit is absent. */
export type AttributionReader = (shopId: string, range: DayRange, model: AttributionModel) => Promise<CreditPart[]>;

const CHANNEL_CREDITS = defineQuery('credit of channels', {
  ...texts('channel', 'evidence', 'payment_gateway'),
  parts: Type.Number(),
  ...texts('orders', 'revenue', 'refunds', 'gateway_fees', 'cogs'),
});
type CreditRow = RowOf<typeof CHANNEL_CREDITS>;

export const CREDITS = `(SELECT day, credits.model, credits.channel, credits.evidence, credits.parts, credits.payment_gateway,
        credits.orders, credits.revenue, credits.refunds, credits.gateway_fees, credits.cogs
      FROM daily_orders FINAL WHERE shop_id = {shop:String} AND day BETWEEN {from:Date} AND {to:Date})
      ARRAY JOIN credits AS c
      WHERE c.model = {model:String}`;

function creditsQuery(shopId: string, range: DayRange, model: AttributionModel): Query<CreditRow> {
  return CHANNEL_CREDITS(
    `SELECT c.channel AS channel, c.evidence AS evidence, c.parts AS parts, c.payment_gateway AS payment_gateway,
        sum(c.orders) AS orders, sum(c.revenue) AS revenue, sum(c.refunds) AS refunds, sum(c.gateway_fees) AS gateway_fees,
        sum(c.cogs) AS cogs
      FROM ${CREDITS}
      GROUP BY channel, evidence, parts, payment_gateway ${ONE_THREAD}`,
    { shop: shopId, from: formatDay(range.from), to: formatDay(range.to), model },
  );
}

export function createAttributionReader(warehouse: Warehouse): AttributionReader {
  return (shopId, range, model) => warehouse.ask(creditsQuery(shopId, range, model));
}
