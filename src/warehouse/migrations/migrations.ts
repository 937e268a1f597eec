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

/** The text of a file differs from the one that was applied. */
class MigrationChangedError extends Error {
  override readonly name = 'MigrationChangedError';
  constructor(name: string) {
    super(`migration ${name} was changed after it was applied: add a new file, or begin with an empty database`);
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
    for (const statement of statements(text)) {
      await options.requireLock?.();
      await warehouse.command(render(statement, options.cluster));
    }
    await warehouse.insert('schema_migrations', [{ name, checksum }]);
    done.push(name);
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
