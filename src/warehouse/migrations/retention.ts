import type { Warehouse } from '../client.js';
import { render } from './migrations.js';

/** The tables that hold events; what is derived from them (credit of orders, rollups, the log) stays. */
const EVENTS = ['events', 'visitor_events', 'event_links'];
/** The tables that hold what stood once. */
const HISTORIES = [
  'daily_orders_history',
  'daily_channels_history',
  'daily_products_history',
  'product_costs_history',
  'gateway_fee_rules_history',
  'expenses_history',
  'sources_history',
];
/** What stands now ends in a time that no DateTime holds; a time that one holds has to remain with the days on top. */
const END = 'toDateTime(least(intDiv(held_until, 1000000), 3900000000))';

export interface RetentionOptions {
  database: string;
  /** Days that an event is kept after its `ts`. */
  eventDays: number;
  /** Days that the past of figures is kept. */
  historyDays: number;
  cluster?: string;
}

/** Sets how long events and the past of figures are kept. Returns the tables whose rule was another; harmless to repeat. */
export async function applyRetention(
  warehouse: Warehouse,
  { database, eventDays, historyDays, cluster }: RetentionOptions,
): Promise<string[]> {
  const rows = await warehouse.query<{ name: string; sql: string }>(
    'SELECT name, create_table_query AS sql FROM system.tables WHERE database = {database:String}',
    { database },
  );
  const rules = new Map([
    ...EVENTS.map((name) => [name, `toDateTime(ts) + toIntervalDay(${eventDays})`] as const),
    ['day_causes', `toDateTime(intDiv(stored_at, 1000000)) + toIntervalDay(${historyDays})`],
    ...HISTORIES.map((name) => [name, `${END} + toIntervalDay(${historyDays})`] as const),
  ]);
  const changed: string[] = [];
  for (const { name, sql } of rows) {
    const rule = rules.get(name);
    if (rule === undefined || sql.includes(`TTL ${rule}`)) continue;
    await warehouse.command(render(`ALTER TABLE ${name} {on_cluster} MODIFY TTL ${rule}`, cluster));
    changed.push(name);
  }
  return changed;
}
