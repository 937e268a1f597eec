import { Type } from 'typebox';
import type { AttributionModel } from '../../schemas/attribution.js';
import { addCredit, type ChannelCredit } from '../../domain/attribution/channel-report.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { ONE_THREAD } from '../sql.js';
import { CREDITS_THEN } from './history.js';
import { defineQuery, texts, type Query, type RowOf } from '../query.js';

/** What each channel is credited with in a range of days, or was as of a moment; a channel without credit is absent. */
export type AttributionReader = (
  shopId: string,
  range: DayRange,
  model: AttributionModel,
  asOf?: number,
) => Promise<Map<string, ChannelCredit>>;

const CREDITS = defineQuery('credit of channels', {
  channel: Type.String(),
  parts: Type.Number(),
  ...texts('orders', 'revenue', 'refunds', 'proved_orders', 'proved_revenue', 'proved_refunds'),
});
type CreditRow = RowOf<typeof CREDITS>;

export const CREDITS_NOW = `(SELECT day, credits.model, credits.channel, credits.parts, credits.orders, credits.revenue, credits.refunds,
        credits.proved_orders, credits.proved_revenue, credits.proved_refunds
      FROM daily_channels FINAL WHERE shop_id = {shop:String} AND day BETWEEN {from:Date} AND {to:Date})
      ARRAY JOIN credits AS c
      WHERE c.model = {model:String}`;

function creditsQuery(shopId: string, range: DayRange, model: AttributionModel, asOf?: number): Query<CreditRow> {
  return CREDITS(
    `SELECT c.channel AS channel, c.parts AS parts, sum(c.orders) AS orders, sum(c.revenue) AS revenue,
        sum(c.refunds) AS refunds, sum(c.proved_orders) AS proved_orders, sum(c.proved_revenue) AS proved_revenue,
        sum(c.proved_refunds) AS proved_refunds
      FROM ${asOf === undefined ? CREDITS_NOW : CREDITS_THEN}
      GROUP BY channel, parts ${ONE_THREAD}`,
    {
      shop: shopId,
      from: formatDay(range.from),
      to: formatDay(range.to),
      model,
      ...(asOf !== undefined && { asOf }),
    },
  );
}

export function createAttributionReader(warehouse: Warehouse): AttributionReader {
  return async (shopId, range, model, asOf) => {
    const credits = new Map<string, ChannelCredit>();
    for (const { channel, ...part } of await warehouse.ask(creditsQuery(shopId, range, model, asOf))) {
      credits.set(channel, addCredit(credits.get(channel), part));
    }
    return credits;
  };
}
