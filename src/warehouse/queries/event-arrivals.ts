import { Type } from 'typebox';
import { readArrival } from '../../domain/events/channel.js';
import type { ReferrerClass } from '../../domain/events/referrer.js';
import { noUtm } from '../../domain/events/utm.js';
import { inChunks } from '../../domain/in-chunks.js';
import type { Warehouse } from '../client.js';
import { literal } from '../sql.js';
import { defineQuery, textOf, texts, type RowOf } from '../query.js';

/** What the channel of an event follows from; equal for many events. */
const SIGNS =
  'cityHash64(e.utm_source, e.utm_medium, e.utm_campaign, e.referrer_class, e.referrer_host, e.click_ids.param)';
/** So that no query takes long, however many events a shop has, and none grows too large. */
const EVENTS_PER_PAGE = 20_000;
const SIGNS_PER_QUERY = 500;

const PAGE_END = defineQuery('end of a page of events', texts('event_id'));
const SIGNS_OF_EVENTS = defineQuery('signs of events', {
  ...texts('signs', 'utm_source', 'utm_medium', 'utm_campaign'),
  referrer_class: textOf<ReferrerClass>(),
  referrer_host: Type.String(),
  params: Type.Array(Type.String()),
  /** What its events hold now. */
  held: Type.Array(Type.Tuple([Type.String(), Type.String()])),
});
const SHOPS_WITH_EVENTS = defineQuery('shops with events', texts('shop_id'));
const ORDERS_WITH_EVENTS = defineQuery('orders with events', texts('order_id'));

/**
 * Judges the stored events of a shop again: their channel and its evidence, by the rules of today. An event of which another
 * channel or evidence follows is written again with the same precedence, so that it takes the place of the old row, here and
 * in `visitor_events`. Harmless to repeat, and to break off.
 */
export async function rejudgeEvents(warehouse: Warehouse, shopId: string, signal: AbortSignal): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    signal.throwIfAborted();
    const from: string = after;
    const [end] = await warehouse.ask(
      PAGE_END(`SELECT event_id FROM events WHERE shop_id = ${literal(shopId)} AND event_id > ${literal(from)}
       ORDER BY event_id LIMIT 1 OFFSET ${EVENTS_PER_PAGE}`),
    );
    after = end?.event_id;
    const upTo = after === undefined ? '' : `AND e.event_id <= ${literal(after)}`;
    await rejudgePage(warehouse, `e.shop_id = ${literal(shopId)} AND e.event_id > ${literal(from)} ${upTo}`);
  }
}

async function rejudgePage(warehouse: Warehouse, where: string): Promise<void> {
  const rows = await warehouse.ask(
    SIGNS_OF_EVENTS(`SELECT toString(${SIGNS}) AS signs, any(e.utm_source) AS utm_source, any(e.utm_medium) AS utm_medium,
       any(e.utm_campaign) AS utm_campaign,
       any(toString(e.referrer_class)) AS referrer_class, any(toString(e.referrer_host)) AS referrer_host,
       any(arrayMap(param -> toString(param), e.click_ids.param)) AS params,
       groupUniqArray((toString(e.channel), toString(e.evidence))) AS held
     FROM events AS e FINAL WHERE ${where} GROUP BY signs`),
  );
  const changed = rows
    .map((row) => ({ ...row, ...judge(row) }))
    .filter(({ held, channel, evidence }) => held.some(([was, sure]) => was !== channel || sure !== evidence));
  for (const chunk of inChunks(changed, SIGNS_PER_QUERY)) {
    const hashes = chunk.map(({ signs }) => signs).join(',');
    const pick = (texts: readonly string[]): string =>
      `transform(${SIGNS}, [${hashes}], [${texts.map(literal).join(',')}], '')`;
    await warehouse.run({
      name: 'rejudge events',
      sql: `INSERT INTO events SELECT * REPLACE (
         ${pick(chunk.map(({ channel }) => channel))} AS channel,
         ${pick(chunk.map(({ evidence }) => evidence))} AS evidence
       ) FROM events AS e FINAL WHERE ${where} AND ${SIGNS} IN (${hashes}) SETTINGS max_partitions_per_insert_block = 0`,
    });
  }
}

function judge({
  utm_source,
  utm_medium,
  utm_campaign,
  referrer_class,
  referrer_host,
  params,
}: RowOf<typeof SIGNS_OF_EVENTS>) {
  const isTagged = utm_source !== '' || utm_medium !== '' || utm_campaign !== '';
  return readArrival({
    clickIds: params.map((param) => ({ param, network: '', value: '' })),
    utm: isTagged ? { ...noUtm, source: utm_source, medium: utm_medium, campaign: utm_campaign } : noUtm,
    referrerClass: referrer_class,
    referrerHost: referrer_host,
  });
}

/** The shops that have events. */
export async function shopsWithEvents(warehouse: Warehouse): Promise<string[]> {
  const rows = await warehouse.ask(SHOPS_WITH_EVENTS('SELECT DISTINCT shop_id FROM events ORDER BY shop_id'));
  return rows.map(({ shop_id }) => shop_id);
}

/** Orders of a shop that events name, placed within these days; a page of them, in the order of their ids. */
export async function ordersWithEvents(
  warehouse: Warehouse,
  shopId: string,
  { from, to, after, limit }: { from: string; to: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await warehouse.ask(
    ORDERS_WITH_EVENTS(
      `SELECT DISTINCT order_id FROM event_links
     WHERE shop_id = {shop:String} AND startsWith(subject, 'o:') AND order_id > {after:String} AND order_id IN (
       SELECT order_id FROM orders WHERE shop_id = {shop:String} AND placed_day BETWEEN {from:Date} AND {to:Date}
     ) ORDER BY order_id LIMIT {limit:UInt32}`,
      { shop: shopId, from, to, after, limit },
    ),
  );
  return rows.map(({ order_id }) => order_id);
}
