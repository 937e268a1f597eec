import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';

/** The tables that hold events. What is derived from them (credit of orders, rollups, the log) is kept longer. */
const EVENTS = ['events', 'visitor_events', 'event_links'];
/** The tables that hold earlier states. */
const HISTORIES = ['daily_orders_history', 'settings_history'];
/** The end of a state as a DateTime. The current state ends at a time that no DateTime holds; the bound leaves room for the days that are added. */
const END = 'toDateTime(least(intDiv(valid_until, 1000000), 3900000000))';

export interface RetentionOptions {
  database: string;
  /** Days that an event is kept after its `ts`, and until the newest of its part, which holds a month of arrivals at most, is as old. */
  eventDays: number;
  /** Days that earlier states are kept. */
  historyDays: number;
}

const TABLE_TEXTS = defineQuery('statements of tables', texts('name', 'sql'));

/** Sets how long events and earlier states are kept. Returns the tables whose rule has changed; harmless to repeat. */
export async function applyRetention(
  warehouse: Warehouse,
  { database, eventDays, historyDays }: RetentionOptions,
): Promise<string[]> {
  const rules = new Map([
    ...EVENTS.map((name) => [name, `toDateTime(ts) + toIntervalDay(${eventDays})`] as const),
    ['day_causes', `toDateTime(intDiv(stored_at, 1000000)) + toIntervalDay(${historyDays})`],
    ['clock_moves', `toDateTime(intDiv(first_stamp, 1000000)) + toIntervalDay(${historyDays})`],
    ...HISTORIES.map((name) => [name, `${END} + toIntervalDay(${historyDays})`] as const),
  ]);
  const rows = await warehouse.ask(
    TABLE_TEXTS(
      `SELECT name, create_table_query AS sql FROM system.tables
       WHERE database = {database:String} AND name IN {names:Array(String)}`,
      { database, names: [...rules.keys()] },
    ),
  );
  const changed: string[] = [];
  for (const { name, sql } of rows) {
    const rule = rules.get(name);
    if (rule === undefined || sql.includes(`TTL ${rule}`)) continue;
    await warehouse.run({ name: 'retention of a table', sql: `ALTER TABLE ${name} MODIFY TTL ${rule}` });
    changed.push(name);
  }
  return changed;
}
