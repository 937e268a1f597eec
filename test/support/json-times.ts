import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createClient, type ClickHouseClient } from '@clickhouse/client';

/**
 * Looks at every row of JSON that this process inserts. A number in a column of times is a fault: ClickHouse before 26.8 reads it as
 * ticks of the column, later ones as seconds.
 */

const faults = new Set<string>();
/** The columns of times that rows of JSON have filled, as `table.column`. */
export const writtenTimes = new Set<string>();

const columns = new Map<string, Promise<string[]>>();

/** Throws if a row had a number in a column of times. */
export function requireTextTimes(): void {
  if (faults.size === 0) return;
  const all = [...faults].join(', ');
  faults.clear();
  throw new Error(`rows of JSON with a number in a column of times, which must be text: ${all}`);
}

/** Must be called once in a process, before its first insert. */
export function watchJsonTimes(): void {
  const client = createClient();
  const prototype = Object.getPrototypeOf(client) as Pick<ClickHouseClient, 'insert' | 'exec'>;
  void client.close();
  const { insert, exec } = prototype;
  prototype.insert = async function (this: ClickHouseClient, params) {
    if (params.format?.startsWith('JSON') && Array.isArray(params.values))
      await look(this, params.table, params.values as readonly Row[]);
    return insert.call(this, params);
  };
  prototype.exec = async function (this: ClickHouseClient, params: Parameters<typeof exec>[0]) {
    const table = /^INSERT INTO (\S+) .*FORMAT JSONEachRow$/s.exec(params.query)?.[1];
    if (table === undefined || !('values' in params)) return exec.call(this, params);
    const bytes = await buffer(params.values);
    const lines = bytes.toString().split('\n').filter(Boolean);
    await look(
      this,
      table,
      lines.map((line) => JSON.parse(line) as Row),
    );
    return exec.call(this, { ...params, values: Readable.from([bytes], { objectMode: false }) });
  };
}

type Row = Record<string, unknown>;

async function look(client: ClickHouseClient, table: string, rows: readonly Row[]): Promise<void> {
  let times = columns.get(table);
  if (times === undefined) columns.set(table, (times = timeColumns(client, table)));
  // A store that was away is asked again.
  times.catch(() => columns.delete(table));
  for (const column of await times) {
    for (const row of rows) {
      const value = row[column];
      if (value === undefined || value === null) continue;
      if (holdsNumber(value)) faults.add(`${table}.${column}`);
      else writtenTimes.add(`${table}.${column}`);
    }
  }
}

async function timeColumns(client: ClickHouseClient, table: string): Promise<string[]> {
  const [name, database] = table.split('.').reverse();
  const answer = await client.query({
    query: `SELECT name FROM system.columns WHERE table = {name:String} AND type LIKE '%DateTime%'
      AND database = if({database:String} = '', currentDatabase(), {database:String})`,
    query_params: { name, database: database ?? '' },
    format: 'JSONEachRow',
  });
  return (await answer.json<{ name: string }>()).map((row) => row.name);
}

/** A text of digits alone is a number as well. */
function holdsNumber(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsNumber);
  return typeof value === 'number' || (typeof value === 'string' && /^[\d.]+$/.test(value));
}
