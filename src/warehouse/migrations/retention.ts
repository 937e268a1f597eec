import type { Warehouse } from '../client.js';
import { render } from './migrations.js';

/** The tables that hold events; what is derived from them (credit of orders, rollups, the log) stays. */
const TABLES = ['events', 'visitor_events', 'event_links'] as const;

export interface RetentionOptions {
  database: string;
  /** Days that an event is kept after its `ts`. */
  days: number;
  cluster?: string;
}

/** Sets how long events are kept. Returns the tables whose rule was another; harmless to repeat. */
export async function applyRetention(
  warehouse: Warehouse,
  { database, days, cluster }: RetentionOptions,
): Promise<string[]> {
  const rows = await warehouse.query<{ name: string; sql: string }>(
    'SELECT name, create_table_query AS sql FROM system.tables WHERE database = {database:String}',
    { database },
  );
  const rule = `toDateTime(ts) + toIntervalDay(${days})`;
  const changed = rows.filter(
    ({ name, sql }) => (TABLES as readonly string[]).includes(name) && !sql.includes(`TTL ${rule}`),
  );
  for (const { name } of changed) {
    await warehouse.command(render(`ALTER TABLE ${name} {on_cluster} MODIFY TTL ${rule}`, cluster));
  }
  return changed.map(({ name }) => name);
}
