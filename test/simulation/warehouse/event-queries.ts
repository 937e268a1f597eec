import { formatScaled } from '../../../src/domain/micros.js';
import { formatDay, parseDay } from '../../../src/domain/time.js';
import type { QueryParams } from '../../../src/warehouse/query.js';
import type { Credits } from './day-rows.js';
import { idsIn } from './literals.js';
import { keyOf, type ReplacingTable } from './replacing-table.js';
import type { Row } from './row-reader.js';
import type { Index, Tables } from './tables.js';

type Answer = (tables: Tables, sql: string, params: QueryParams) => object[];

const none = (): object[] => [];

/** What is asked of events and of the credit that they give, by the name of the query. */
export const EVENT_ANSWERS: Record<string, Answer> = {
  'orders that events name': linkedOrders,
  'orders that events tie to checkouts': none,
  'orders that carry checkouts': none,
  'orders whose checkouts events name': none,
  'visitors of orders': visitorsOfOrders,
  'visitors of checkouts': none,
  'checkouts of many orders': none,
  'names of visitors by hour': ordersByHour,
  'orders that visitors named around': namedByVisitors,
  'linked subjects': linkedSubjects,
  'orders of visitors': ordersOfVisitors,
  'placed orders': placedOrders,
  'event counts of visitors': eventCounts,
  'events of visitors': visitors,
  'credit of channels': credits,
};

/** The rows of a table that an index has under these names. */
const rowsUnder = (table: ReplacingTable, index: Index, name: string): readonly Row[] =>
  [...(index.get(name) ?? [])].flatMap((key) => table.rowsOf(key));

const linksUnder = ({ eventLinks, ofSubject }: Tables, shopId: string, subject: string): readonly Row[] =>
  rowsUnder(eventLinks, ofSubject, keyOf(shopId, subject));

/** None has too many events. */
function linkedSubjects(tables: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, subjects]) =>
    subjects
      .filter((subject) => linksUnder(tables, shopId, subject).length > 0)
      .map((subject) => ({ shopId, id: subject.slice(2) })),
  );
}

function linkedOrders(tables: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, subjects]) => {
    const orders = new Set(
      subjects.flatMap((subject) => linksUnder(tables, shopId, subject).map((row) => String(row.order_id))),
    );
    orders.delete('');
    return Array.from(orders, (id) => ({ shopId, id }));
  });
}

/** Of each order and visitor that names it. No event of the simulation names a checkout, and no visitor many orders. */
function visitorsOfOrders(tables: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, subjects]) =>
    subjects.flatMap((subject) => {
      const byVisitor = new Map<string, Row[]>();
      for (const row of finalLinks(tables, shopId, subject)) {
        byVisitor.set(String(row.anon_id), [...(byVisitor.get(String(row.anon_id)) ?? []), row]);
      }
      return Array.from(byVisitor, ([visitor, rows]) => ({
        shopId,
        subject,
        id: visitor,
        namedAt: Math.min(...rows.map(({ received_at }) => Number(received_at))),
        purchasedAt: earliestPurchase(rows),
        checkouts: [],
      }));
    }),
  );
}

const earliestPurchase = (rows: readonly Row[]): number | null => {
  const purchases = rows.filter(({ type }) => type === 'purchase').map(({ ts }) => Number(ts));
  return purchases.length === 0 ? null : Math.min(...purchases);
};

function finalLinks({ eventLinks, ofSubject }: Tables, shopId: string, subject: string): Row[] {
  return Array.from(ofSubject.get(keyOf(shopId, subject)) ?? [], (key) => eventLinks.final(key)).filter(
    (row) => row !== undefined,
  );
}

/** First arrivals of the names that a visitor gave. */
function firstNamed(rows: readonly Row[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { order_id, received_at } of rows) {
    const id = String(order_id);
    if (id !== '') first.set(id, Math.min(first.get(id) ?? Infinity, Number(received_at)));
  }
  return first;
}

function ordersByHour(tables: Tables, sql: string): object[] {
  const most = Number(/HAVING sum\(names\) > (\d+)/.exec(sql)?.[1]);
  return [...idsIn(sql)].flatMap(([shopId, subjects]) =>
    subjects.flatMap((subject) => {
      const hours = new Map<number, number>();
      for (const at of firstNamed(finalLinks(tables, shopId, subject)).values()) {
        const hour = Math.floor(at / 3_600_000);
        hours.set(hour, (hours.get(hour) ?? 0) + 1);
      }
      const names = [...hours.values()].reduce((sum, n) => sum + n, 0);
      if (names <= most) return [];
      return [{ shopId, subject, hours: [...hours] }];
    }),
  );
}

function namedByVisitors(tables: Tables, sql: string): object[] {
  const [from = 0, to = 0] = Array.from(sql.matchAll(/fromUnixTimestamp64Milli\((\d+)/g), ([, at]) => Number(at));
  return [...idsIn(sql)].flatMap(([shopId, subjects]) =>
    subjects.flatMap((subject) =>
      [...firstNamed(linksUnder(tables, shopId, subject))]
        .filter(([, at]) => at >= from && at <= to)
        .map(([id]) => ({ shopId, id })),
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
        .map((row) => ({ shopId, id, placedAt: placedMs(row) })),
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
          shopId,
          orderId: id,
          checkout: '',
          placedAt: placedMs(row),
          placedDay: formatDay(Number(row.placed_day)),
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
const eventOf = (row: Row): (string | boolean)[] => {
  const utm = ['source', 'medium', 'campaign', 'term', 'content', 'id'].map((name) => row[`utm_${name}`]);
  const arrival = keyOf(row.channel, row.referrer_host, ...utm, row['click_ids.param'], row['click_ids.value']);
  const page = keyOf(row.url, row.referrer);
  const place = [String(row.type), page, String(row.url_host), '', false, String(row.event_id)];
  const named = [String(row.utm_campaign), String(row.utm_id)];
  return [
    String(row.ts),
    String(row.received_at),
    String(row.channel),
    String(row.evidence),
    arrival,
    ...place,
    ...named,
  ];
};

const decimal = (micros: bigint): string => `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`;

function credits({ dailyOrders }: Tables, _: string, { shop, from, to, model }: QueryParams): object[] {
  const [first, last] = [parseDay(String(from)) ?? 0, parseDay(String(to)) ?? 0];
  return [...dailyOrders.keys()].flatMap((key) => {
    const [shopId, day] = key.split('\n');
    if (shopId !== shop || Number(day) < first || Number(day) > last) return [];
    const sums = dailyOrders.final(key)?.credits as Credits | undefined;
    return [...(sums ?? [])].flatMap(([name, part]) => {
      const [ofModel, channel, evidence, parts] = name.split('\n');
      if (ofModel !== model) return [];
      return [
        {
          channel,
          evidence,
          payment_gateway: '',
          parts: Number(parts),
          orders: String(part.orders),
          revenue: decimal(part.revenue),
          refunds: decimal(part.refunds),
          gateway_fees: formatScaled(part.gatewayFees, 6),
          cogs: formatScaled(part.cogs, 12),
        },
      ];
    });
  });
}
