import { hash, randomUUID } from 'node:crypto';
import type { Warehouse } from '../client.js';
import { readSqlFiles } from '../sql-files.js';
import { defineQuery, texts } from '../query.js';

export interface MigrationOptions {
  database: string;
  /** Folder of `NNN_name.sql` files. */
  folder: string;
  /** True where ClickHouse keeps the rows of a table on several servers. */
  isReplicated?: boolean;
  /** Throws when another process may be migrating too; called before each statement. */
  requireLock?: () => Promise<void>;
}

/** Under this name `schema_migrations` has the id of the tables of a server. */
export const WAREHOUSE_ID = 'warehouse';

/** The text of a file differs from the one that was applied. */
class MigrationChangedError extends Error {
  override readonly name = 'MigrationChangedError';
  constructor(name: string) {
    super(`migration ${name} was changed after it was applied: add a new file, or begin with an empty database`);
  }
}

/** Creates the database. `admin` is a connection to a database that exists. */
export async function createDatabase(
  admin: Warehouse,
  { database }: Pick<MigrationOptions, 'database'>,
): Promise<void> {
  await admin.run({ name: 'create the database', sql: `CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic` });
}

/** Applies the files that are new, in the order of their names. Returns their names. */
export async function migrate(warehouse: Warehouse, options: MigrationOptions): Promise<string[]> {
  await warehouse.run({
    // Of each server alone, on replicas too: what it notes is what was made there.
    name: 'create the list of migrations',
    sql: `CREATE TABLE IF NOT EXISTS schema_migrations (name String, checksum String, applied_at DateTime DEFAULT now())
     ENGINE = ReplacingMergeTree(applied_at) ORDER BY name`,
  });
  const applied = await readChecksums(warehouse);
  if (!applied.has(WAREHOUSE_ID)) await noteChecksum(warehouse, WAREHOUSE_ID, randomUUID());
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
      await warehouse.run({ name: `migration ${title}`, sql: render(statement, options) });
    }
    await noteChecksum(warehouse, name, checksum);
    done.push(name);
  }
  return done;
}

const NOTED = defineQuery('notes of the schema', texts('name', 'checksum'));

/** Everything that `schema_migrations` notes, by name. */
export async function readChecksums(warehouse: Warehouse): Promise<Map<string, string>> {
  const rows = await warehouse.ask(NOTED('SELECT name, checksum FROM schema_migrations FINAL'));
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Notes in `schema_migrations` what was applied. */
export const noteChecksum = (warehouse: Warehouse, name: string, checksum: string): Promise<void> =>
  warehouse.insert('schema_migrations', [{ name, checksum }]);

/** Splits a file at `;` at the end of a line, without comments. */
export function statements(text: string): string[] {
  return text
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/**
 * Fills in the engine of a table: `{engine}ReplacingMergeTree(version)` is that on a single server, and where ClickHouse keeps the rows on
 * several servers the `Replicated` one, which Keeper knows by its path. Each server is migrated by its own address, so the path can't
 * have the `{uuid}` that only `ON CLUSTER` makes equal on all.
 */
export function render(
  statement: string,
  { isReplicated = false }: Pick<MigrationOptions, 'isReplicated'> = {},
): string {
  return statement.replaceAll(/\{engine\}(\w+)(?:\(([^)]*)\))?/g, (_, engine: string, columns?: string) => {
    const own = columns ?? '';
    if (!isReplicated) return columns === undefined ? engine : `${engine}(${own})`;
    return `Replicated${engine}(${[KEEPER_PATH, "'{replica}'", own].filter((part) => part !== '').join(', ')})`;
  });
}

/** ClickHouse fills in the names; `{shard}` and `{replica}` are macros of the server. */
const KEEPER_PATH = "'/clickhouse/tables/{database}/{table}/{shard}'";
