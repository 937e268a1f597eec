import { literal } from '../sql.js';
import { defineQuery, texts, type Query, type RowOf } from '../query.js';

/** The place of an order; the day is `YYYY-MM-DD`. */
export interface OrderPlace {
  day: string;
  id: string;
}

/** A list for `(placed_day, order_id) IN (…)`. */
export function placesOf(places: readonly OrderPlace[]): string {
  return [...new Set(places.map(({ day, id }) => `('${day}',${literal(id)})`))].join(',');
}

const CHANNELS = defineQuery('channels of orders', texts('placed_day', 'order_id', 'channel'));

/** The channels of the last touch; an order without a row is unattributed. */
export function channelsQuery(shopId: string, places: readonly OrderPlace[]): Query<RowOf<typeof CHANNELS>> {
  return CHANNELS(
    `SELECT toString(a.placed_day) AS placed_day, a.order_id AS order_id, toString(a.last_touch) AS channel
    FROM order_attribution AS a FINAL WHERE a.shop_id = {shop:String} AND (a.placed_day, a.order_id) IN (${placesOf(places)})`,
    { shop: shopId },
  );
}
