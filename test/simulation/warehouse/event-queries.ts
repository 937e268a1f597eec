import type { QueryParams } from '../../../src/warehouse/client.js';
import { formatDay, parseDay } from '../../../src/domain/time.js';
import type { Credits } from './credits.js';
import { idsIn } from './literals.js';
import { keyOf, type ReplacingTable } from './replacing-table.js';
import type { Row } from './row-reader.js';
import type { Index, Tables } from './tables.js';

type Answer = (tables: Tables, sql: string, params: QueryParams) => object[];

/** What is asked of events and of the credit that they give, by what tells it from other queries. */
export const EVENT_ANSWERS: [RegExp, Answer][] = [
  [/^SELECT (DISTINCT )?shop_id, order_id FROM event_links/, linkedOrders],
  [/is_purchase\s+FROM event_links FINAL/, links],
  [/AS placed FROM orders\b/, ordersOfVisitors],
  [/AS day FROM orders FINAL\s+WHERE \(shop_id, placed_day, order_id\) GLOBAL IN/, placedOrders],
  [/AS events FROM visitor_events/, eventCounts],
  [/FROM visitor_events FINAL/, visitors],
  [/FROM daily_channels FINAL/, credits],
];

/** The rows of a table that an index has under these names. */
const rowsUnder = (table: ReplacingTable, index: Index, name: string): readonly Row[] =>
  [...(index.get(name) ?? [])].flatMap((key) => table.rowsOf(key));

const linksUnder = ({ eventLinks, ofSubject }: Tables, shopId: string, subject: string): readonly Row[] =>
  rowsUnder(eventLinks, ofSubject, keyOf(shopId, subject));

function linkedOrders(tables: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, subjects]) => {
    const orders = new Set(
      subjects.flatMap((subject) => linksUnder(tables, shopId, subject).map((row) => String(row.order_id))),
    );
    orders.delete('');
    return Array.from(orders, (id) => ({ shop_id: shopId, order_id: id }));
  });
}

function links({ eventLinks, ofSubject }: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, subjects]) =>
    subjects.flatMap((subject) =>
      Array.from(ofSubject.get(keyOf(shopId, subject)) ?? [], (key) => eventLinks.final(key))
        .filter((row) => row !== undefined)
        .map((row) => ({
          shop_id: shopId,
          order_id: row.order_id,
          checkout_token: row.checkout_token,
          anon_id: row.anon_id,
          at: String(row.ts),
          is_purchase: row.type === 'purchase',
        })),
    ),
  );
}

/** Keys of `orders` that an order had at any time. */
const keysOfOrder = ({ ofOrder, orderKeys }: Tables, shopId: string, orderId: string): string[] => {
  const rows = [...(ofOrder.get(keyOf(shopId, orderId)) ?? [])].map((key) => orderKeys.newest(key));
  return rows.map((row) => keyOf(shopId, row?.day, orderId));
};

function ordersOfVisitors(tables: Tables, sql: string): object[] {
  const earliest = Number(/fromUnixTimestamp64Milli\((\d+)/.exec(sql)?.[1]);
  const firstDay = Math.floor(earliest / 86_400_000) - 1;
  return [...idsIn(sql)].flatMap(([shopId, subjects]) => {
    const own = subjects.flatMap((subject) => linksUnder(tables, shopId, subject));
    const ids = new Set(own.map((row) => String(row.order_id)));
    ids.delete('');
    return [...ids].flatMap((id) =>
      keysOfOrder(tables, shopId, id)
        .flatMap((key) => tables.orders.rowsOf(key))
        .filter((row) => Number(row.placed_day) >= firstDay)
        .map((row) => ({ shop_id: shopId, order_id: id, placed: String(placedMs(row)) })),
    );
  });
}

/** The row of a day that an order left knows no time. */
const placedMs = (row: Row): number => Math.floor(Number(row.placed_at ?? 0) / 1_000);

function placedOrders(tables: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, ids]) =>
    [...new Set(ids)].flatMap((id) =>
      keysOfOrder(tables, shopId, id)
        .map((key) => tables.orders.final(key))
        .filter((row) => row !== undefined)
        .map((row) => ({
          shop_id: shopId,
          order_id: id,
          at: String(placedMs(row)),
          day: formatDay(Number(row.placed_day)),
        })),
    ),
  );
}

function visitors({ visitorEvents, ofVisitor }: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, ids]) =>
    ids.flatMap((id) => {
      const rows = Array.from(ofVisitor.get(keyOf(shopId, id)) ?? [], (key) => visitorEvents.final(key));
      const events = rows.flatMap((row) => (row === undefined ? [] : [eventOf(row)]));
      return events.length === 0 ? [] : [{ shop_id: shopId, anon_id: id, events }];
    }),
  );
}

function eventCounts({ ofVisitor }: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, ids]) =>
    ids.map((id) => ({ shop_id: shopId, anon_id: id, events: ofVisitor.get(keyOf(shopId, id))?.size ?? 0 })),
  );
}

/** What the hash of an arrival is made of stands for it. */
const eventOf = (row: Row): string[] => {
  const utm = ['source', 'medium', 'campaign', 'term', 'content', 'id'].map((name) => row[`utm_${name}`]);
  const arrival = keyOf(row.channel, row.referrer_host, ...utm, row['click_ids.param'], row['click_ids.value']);
  return [String(row.ts), String(row.channel), String(row.evidence), arrival];
};

const decimal = (micros: bigint): string => `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`;

function credits({ dailyChannels }: Tables, _: string, { shop, from, to, model }: QueryParams): object[] {
  const [first, last] = [parseDay(String(from)) ?? 0, parseDay(String(to)) ?? 0];
  return [...dailyChannels.keys()].flatMap((key) => {
    const [shopId, day] = key.split('\n');
    if (shopId !== shop || Number(day) < first || Number(day) > last) return [];
    const sums = dailyChannels.final(key)?.credits as Credits | undefined;
    return [...(sums ?? [])].flatMap(([name, part]) => {
      const [ofModel, channel, parts] = name.split('\n');
      if (ofModel !== model) return [];
      return [
        {
          channel,
          parts: Number(parts),
          orders: String(part.orders),
          revenue: decimal(part.revenue),
          refunds: decimal(part.refunds),
          proved_orders: String(part.provedOrders),
          proved_revenue: decimal(part.provedRevenue),
          proved_refunds: decimal(part.provedRefunds),
        },
      ];
    });
  });
}
