import { createReplacingTable, keyOf, type ReplacingTable } from './replacing-table.js';
import type { Row } from './row-reader.js';

/** The tables that the simulation keeps, and what finds rows without a look at all of them. */
export interface Tables {
  orders: ReplacingTable;
  orderDays: ReplacingTable;
  orderKeys: ReplacingTable;
  productCosts: ReplacingTable;
  productCostChanges: ReplacingTable;
  spend: ReplacingTable;
  clears: ReplacingTable;
  dailyProducts: ReplacingTable;
  dailyOrders: ReplacingTable;
  dailySpend: ReplacingTable;
  events: ReplacingTable;
  visitorEvents: ReplacingTable;
  eventLinks: ReplacingTable;
  orderAttribution: ReplacingTable;
  orderFacts: ReplacingTable;
  expenses: ReplacingTable;
  ingestLog: ReplacingTable;
  sources: ReplacingTable;
  /** Keys of `orders` by shop and placed day. */
  placedOn: Index;
  /** Keys of `orderDays` by shop and day. */
  ofDay: Index;
  /** Keys of `orderFacts` by shop and day. */
  factsOf: Index;
  /** By shop and day: which versions of orders were in the sums that were read last; no table has it. */
  sumsRead: Map<string, ReadonlyMap<string, bigint>>;
  /** Keys of `orderKeys` by shop and order. */
  ofOrder: Index;
  /** Keys of `productCosts` by shop and SKU. */
  ofSku: Index;
  /** Keys of `spend` by shop and day. */
  spendOfDay: Index;
  /** Keys of `eventLinks` by shop and subject. */
  ofSubject: Index;
  /** Keys of `visitorEvents` by shop and visitor. */
  ofVisitor: Index;
}

export type Index = Map<string, Set<string>>;

const big = (row: Row): bigint => BigInt(row.version as bigint | number | string);
const precedence = (row: Row): number => Number(row.precedence);
const number = (column: string) => (row: Row) => Number(row[column]);

const orderKey = (row: Row): string => keyOf(row.shop_id, row.placed_day, row.order_id);
const dayKey = (row: Row): string => keyOf(row.shop_id, row.day, row.order_id);
const costKey = (row: Row): string => keyOf(row.shop_id, row.sku, row.effective_from, row.is_epoch_day ?? 0);
const spendKey = (row: Row): string =>
  keyOf(row.shop_id, row.event_date, row.channel, row.currency, row.campaign_id, row.adset_id, row.ad_id);
export const clearKey = (row: Row): string => keyOf(row.shop_id, row.event_date, row.channel, row.currency);

export function createTables(): Tables {
  const placedOn: Index = new Map();
  const ofDay: Index = new Map();
  const ofOrder: Index = new Map();
  const factsOf: Index = new Map();
  const ofSku: Index = new Map();
  const spendOfDay: Index = new Map();
  const ofSubject: Index = new Map();
  const ofVisitor: Index = new Map();
  const subject = (row: Row): string => keyOf(row.shop_id, row.subject);
  const visitor = (row: Row): string => keyOf(row.shop_id, row.anon_id);
  const eventOf = (group: (row: Row) => string) => (row: Row) => keyOf(group(row), row.event_id);
  const shopDay = (row: Row): string => keyOf(row.shop_id, row.day);
  return {
    orders: indexed(placedOn, (row) => keyOf(row.shop_id, row.placed_day), { key: orderKey, version: big }),
    orderDays: indexed(ofDay, shopDay, { key: dayKey, version: big }),
    orderKeys: indexed(ofOrder, (row) => keyOf(row.shop_id, row.order_id), { key: dayKey, version: big }),
    productCosts: indexed(ofSku, (row) => keyOf(row.shop_id, row.sku), { key: costKey, version: big }),
    productCostChanges: createReplacingTable({
      key: (row) => keyOf(row.shop_id, row.sku),
      version: number('stored_at'),
    }),
    spend: indexed(spendOfDay, (row) => keyOf(row.shop_id, row.event_date), { key: spendKey, version: big }),
    clears: createReplacingTable({ key: clearKey, version: big }),
    dailyProducts: createReplacingTable({ key: shopDay, version: number('computed_at') }),
    dailyOrders: createReplacingTable({ key: shopDay, version: number('computed_at') }),
    dailySpend: createReplacingTable({ key: shopDay, version: number('computed_at') }),
    events: createReplacingTable({ key: (row) => keyOf(row.shop_id, row.event_id), version: precedence }),
    visitorEvents: indexed(ofVisitor, visitor, { key: eventOf(visitor), version: precedence }),
    eventLinks: indexed(ofSubject, subject, { key: eventOf(subject), version: precedence }),
    orderAttribution: createReplacingTable({ key: orderKey, version: number('version') }),
    orderFacts: indexed(factsOf, shopDay, { key: dayKey, version: big }),
    expenses: createReplacingTable({ key: (row) => keyOf(row.shop_id, row.expense_id), version: number('version') }),
    ingestLog: createReplacingTable({ key: (row) => keyOf(row.shop_id, row.batch_id), version: () => 0 }),
    sources: createReplacingTable({ key: (row) => keyOf(row.shop_id), version: big }),
    placedOn,
    ofDay,
    ofOrder,
    factsOf,
    sumsRead: new Map(),
    ofSku,
    spendOfDay,
    ofSubject,
    ofVisitor,
  };
}

function indexed(
  index: Index,
  group: (row: Row) => string,
  options: Parameters<typeof createReplacingTable>[0],
): ReplacingTable {
  const table = createReplacingTable(options);
  return {
    ...table,
    insert(rows) {
      for (const row of rows) {
        const name = group(row);
        const known = index.get(name);
        if (known === undefined) index.set(name, new Set([options.key(row)]));
        else known.add(options.key(row));
      }
      table.insert(rows);
    },
  };
}
