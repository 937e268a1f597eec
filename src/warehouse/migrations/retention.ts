import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';

/** The tables that hold events. What is derived from them (credit of orders, rollups, the log) is kept longer. */
const EVENTS = ['events', 'visitor_events', 'event_links'];
/** The tables that hold earlier states, and why they changed. */
const HISTORIES = ['daily_orders_history', 'settings_history', 'day_causes', 'clock_moves'];

export interface RetentionOptions {
  database: string;
  /** Days that an event is kept after its `ts`, and until the newest of its part, which holds a month of arrivals at most, is as old. */
  eventDays: number;
  /** Days that earlier states are kept. */
  historyDays: number;
}

const RULES = defineQuery('rules of tables', texts('name', 'rule'));

/** Sets how long events and earlier states are kept: the days in the rules that the tables have. Returns the tables whose rule has changed; harmless to repeat. */
export async function applyRetention(
  warehouse: Warehouse,
  { database, eventDays, historyDays }: RetentionOptions,
): Promise<string[]> {
  const tables = await warehouse.ask(
    RULES(
      `SELECT name, extract(create_table_query, ' TTL (.+?)(?: SETTINGS |$)') AS rule FROM system.tables
       WHERE database = {database:String} AND name IN {names:Array(String)}`,
      { database, names: [...EVENTS, ...HISTORIES] },
    ),
  );
  const changed: string[] = [];
  for (const { name, rule } of tables) {
    const days = EVENTS.includes(name) ? eventDays : historyDays;
    const wanted = rule.replace(/toIntervalDay\(\d+\)/, `toIntervalDay(${days})`);
    if (rule === wanted) continue;
    await warehouse.run({ name: 'retention of a table', sql: `ALTER TABLE ${name} MODIFY TTL ${wanted}` });
    changed.push(name);
  }
  return changed;
}
