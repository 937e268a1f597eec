import { hash } from 'node:crypto';
import type { Warehouse } from '../client.js';
import { readSqlFiles } from '../sql-files.js';

export interface MigrationOptions {
  database: string;
  /** Folder of `NNN_name.sql` files. */
  folder: string;
  /** Name of the ClickHouse cluster; absent on a single server. */
  cluster?: string;
  /** Throws when another process may be migrating too; called before each statement. */
  requireLock?: () => Promise<void>;
}

/**
 * Files that replaced two files with the same number, each with their names and checksums. A database with both old files has the new
 * one too. A database with the new file also lists the old ones, for migrators of earlier releases.
 */
const MADE_OF: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    '005_ad_spend_and_events.sql',
    new Map([
      ['005_ad_spend.sql', '9f0e5f6f9f9d859f4ee4406c1dd9e5b44588be88a970e88200409d5d9f4af92c'],
      ['005_events.sql', 'a60c35393450a3e41f158a7e4a9ca8efec37759bdf69b7f518424c3759f66344'],
    ]),
  ],
  [
    '006_attribution_and_running_costs.sql',
    new Map([
      ['006_attribution.sql', '948fdc5c2630020387aeb4edbf70c08d3c27b2b6d15b58254e164e8ebaa48de2'],
      ['006_running_costs.sql', '84ab754a93482ba108fd5f649a658bf9ab99bc7bf3474fcd1fbc40dfd7309b72'],
    ]),
  ],
]);

/** The text of a file differs from the one that was applied. */
class MigrationChangedError extends Error {
  override readonly name = 'MigrationChangedError';
  constructor(name: string) {
    super(`migration ${name} was changed after it was applied; add a new file instead`);
  }
}

/** Creates the database. `admin` is a connection to a database that exists. */
export async function createDatabase(admin: Warehouse, { database, cluster }: MigrationOptions): Promise<void> {
  await admin.command(render(`CREATE DATABASE IF NOT EXISTS ${database} {on_cluster} ENGINE = Atomic`, cluster));
}

/** Applies the files that are new, in the order of their names. Returns their names. */
export async function migrate(warehouse: Warehouse, options: MigrationOptions): Promise<string[]> {
  await warehouse.command(
    render(
      `CREATE TABLE IF NOT EXISTS schema_migrations {on_cluster} (name String, checksum String, applied_at DateTime DEFAULT now())
       ENGINE = {engine}ReplacingMergeTree(applied_at) ORDER BY name`,
      options.cluster,
    ),
  );
  const applied = await readChecksums(warehouse);
  const done: string[] = [];
  for (const { name: title, text } of await readSqlFiles(options.folder)) {
    if (!/^\d{3}_/.test(title)) continue;
    const name = `${title}.sql`;
    const checksum = hash('sha256', text);
    const known = applied.get(name);
    if (known === checksum) continue;
    if (known !== undefined) throw new MigrationChangedError(name);
    const parts = [...(MADE_OF.get(name) ?? [])];
    const isDone = parts.length > 0 && parts.every(([part]) => applied.has(part));
    for (const statement of isDone ? [] : statements(text)) {
      await options.requireLock?.();
      await warehouse.command(render(statement, options.cluster));
    }
    const records = [[name, checksum] as const, ...parts.filter(([part]) => !applied.has(part))];
    await warehouse.insert(
      'schema_migrations',
      records.map(([file, sum]) => ({ name: file, checksum: sum })),
    );
    if (!isDone) done.push(name);
  }
  return done;
}

/** Everything that `schema_migrations` notes, by name. */
export async function readChecksums(warehouse: Warehouse): Promise<Map<string, string>> {
  const rows = await warehouse.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM schema_migrations FINAL',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Splits a file at `;` at the end of a line, without comments. */
export function statements(text: string): string[] {
  return text
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** Fills in the parts that differ between a single server and a cluster. */
export function render(statement: string, cluster?: string): string {
  return statement
    .replaceAll('{on_cluster}', cluster === undefined ? '' : `ON CLUSTER '${cluster}'`)
    .replaceAll('{engine}', cluster === undefined ? '' : 'Replicated');
}
