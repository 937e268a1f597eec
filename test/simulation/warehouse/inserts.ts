import { readFigures } from './day-rows.js';
import { PRODUCTS_OF_DAYS } from './products.js';
import { keyOf } from './replacing-table.js';
import { returnedOnDay, soldOnDay, spendOfDay, type Entry } from './rebuild.js';
import type { Row } from './row-reader.js';
import type { Tables } from './tables.js';

/** One thing that an insert does at one moment. An insert that is cut off has done some of them. */
export type Step = () => void;

/** A part of an insert: its steps follow each other, and the parts stand in no order. */
export type Part = Step[];

/** The parts of an insert: the table, and each of the views behind it. */
export function partsOf(tables: Tables, table: string, rows: readonly Row[]): Part[] {
  switch (table) {
    case 'orders':
      return [[() => tables.orders.insert(rows)]];
    case 'order_days':
      return orderDayParts(tables, rows);
    case 'product_costs':
      return [[() => tables.productCosts.insert(rows)]];
    case 'product_cost_changes':
      return [[() => tables.productCostChanges.insert(rows)]];
    case 'ad_spend':
      return [[() => tables.spend.insert(rows)]];
    case 'ad_spend_clears':
      return [[() => tables.clears.insert(rows)]];
    case 'events':
      return eventParts(tables, rows);
    case 'order_attribution':
      return [[() => tables.orderAttribution.insert(rows)]];
    case 'expenses':
      return [[() => tables.expenses.insert(rows)]];
    case 'ingest_log':
      return [[() => tables.ingestLog.insert(rows)]];
    case 'sources':
      return [[() => tables.sources.insert(rows)]];
    case PRODUCTS_OF_DAYS:
      return [productsPart(tables, rows)];
    case 'order_facts':
      return [[() => tables.orderFacts.insert(rows)]];
    case 'daily_orders':
      return [[() => tables.dailyOrders.insert(rows.map((row) => readFigures(tables, row)))]];
    case 'spend_rollup_requests':
      return [spendPart(tables, requestsOf(rows))];
    case 'day_causes':
    case 'push_hours':
      // Why figures changed, and counters of pushes: no figure comes from them. The insert may fail as any other.
      return [];
    default:
      throw new Error(`an insert that the simulation does not know: ${table}`);
  }
}

/** A tombstone has nothing but its key; what was not inserted has the default of its type. */
const whole = (row: Row): Row => ({
  orders: 0,
  revenue: 0n,
  refunds: 0n,
  gateway_fees: 0n,
  has_gateway_fee: 0,
  has_tax: 0,
  'lines.sku': [],
  'lines.quantity': [],
  'lines.unit_cost': [],
  'lines.restock': [],
  'refund_lines.sku': [],
  'refund_lines.quantity': [],
  'refund_lines.unit_cost': [],
  'refund_lines.restock': [],
  ...row,
});

/** `order_days` with the views `order_keys_feed` and `orders_left`. */
function orderDayParts(tables: Tables, rows: readonly Row[]): Part[] {
  const left = rows.filter((row) => row.is_deleted === 1 || row.day !== row.placed_day);
  return [
    [() => tables.orderDays.insert(rows.map(whole))],
    [() => tables.orderKeys.insert(rows)],
    [() => tables.orders.insert(left.map((row) => ({ ...row, placed_day: row.day, is_deleted: 1 })))],
  ];
}

/** `events` with the views `visitor_events_feed` and `event_links_feed`. */
function eventParts(tables: Tables, rows: readonly Row[]): Part[] {
  const links = rows.flatMap((row) => {
    const { anon_id: visitor, order_id: order, checkout_token: checkout } = row;
    if (order === '' && checkout === '') return [];
    const subjects = [`v:${String(visitor)}`];
    if (order !== '') subjects.push(`o:${String(order)}`);
    if (checkout !== '') subjects.push(`c:${String(checkout)}`);
    return subjects.map((subject) => ({ ...row, subject }));
  });
  return [
    [() => tables.events.insert(rows)],
    [() => tables.visitorEvents.insert(rows)],
    [() => tables.eventLinks.insert(links)],
  ];
}

interface Request {
  shopId: string;
  day: number;
  computedAt: number;
}

function requestsOf(rows: readonly Row[]): Request[] {
  const requests = new Map<string, Request>();
  for (const row of rows) {
    const request = { shopId: String(row.shop_id), day: Number(row.day), computedAt: Number(row.computed_at) };
    const key = keyOf(request.shopId, request.day);
    const known = requests.get(key);
    if (known === undefined || known.computedAt < request.computedAt) requests.set(key, request);
  }
  return [...requests.values()];
}

/**
 * The steps of a rebuild for each of its days: readers one after the other, then the row. What is stored between two readers
 * is in one half of the row alone, as it is with the queries of a view.
 */
function rebuild<Read>(
  requests: readonly Request[],
  readers: readonly ((request: Request, read: Partial<Read>) => void)[],
  write: (rows: Row[]) => void,
  toRow: (read: Read) => Row,
): Part {
  const read = requests.map((): Partial<Read> => ({}));
  return [
    ...readers.map((reader) => () => requests.forEach((request, i) => reader(request, read[i] ?? {}))),
    () =>
      write(
        requests.map(({ shopId, day, computedAt }, i) => ({
          shop_id: shopId,
          day,
          computed_at: computedAt,
          ...toRow(read[i] as Read),
        })),
      ),
  ];
}

/** The statement of `day-products.ts`: of a day without entries a row is written only where the day is doubted. */
function productsPart(tables: Tables, rows: readonly Row[]): Part {
  const returning = new Set(rows.filter((row) => row.has_returns === true).map(dayOf));
  const doubted = new Set(rows.filter((row) => row.is_doubted === true).map(dayOf));
  return rebuild<{ sold: Entry[]; returned: Entry[] }>(
    requestsOf(rows),
    [
      ({ shopId, day }, read) => (read.sold = soldOnDay(tables, shopId, day)),
      ({ shopId, day }, read) =>
        (read.returned = returning.has(keyOf(shopId, day)) ? returnedOnDay(tables, shopId, day) : []),
    ],
    (written) =>
      tables.dailyProducts.insert(
        written.filter((row) => (row.entries as Entry[]).length > 0 || doubted.has(dayOf(row))),
      ),
    ({ sold, returned }) => ({ entries: [...sold, ...returned] }),
  );
}

const dayOf = ({ shop_id, day }: Row): string => keyOf(shop_id, day);

/** `daily_spend_rebuild`. */
function spendPart(tables: Tables, requests: readonly Request[]): Part {
  return rebuild<{ accounts: Map<string, bigint> }>(
    requests,
    [({ shopId, day }, read) => (read.accounts = spendOfDay(tables, shopId, day))],
    (rows) => tables.dailySpend.insert(rows),
    ({ accounts }) => ({ accounts }),
  );
}
