import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Warehouse } from '../client.js';

export interface MigrationOptions {
  database: string;
  /** Folder of `NNN_name.sql` files. */
  folder: string;
  /** Name of the ClickHouse cluster; absent on a single server. */
  cluster?: string;
}

/** A numbered file whose text is no longer the one that was applied: edit history is not a migration. */
export class MigrationChangedError extends Error {
  constructor(name: string) {
    super(`migration ${name} was changed after it was applied; add a new file instead`);
    this.name = 'MigrationChangedError';
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
  const applied = new Map(
    (
      await warehouse.query<{ name: string; checksum: string }>('SELECT name, checksum FROM schema_migrations FINAL')
    ).map((row) => [row.name, row.checksum]),
  );
  const done: string[] = [];
  for (const name of (await readdir(options.folder)).filter((file) => /^\d{3}_.*\.sql$/.test(file)).sort()) {
    const text = await readFile(join(options.folder, name), 'utf8');
    const checksum = createHash('sha256').update(text).digest('hex');
    const known = applied.get(name);
    if (known === checksum) continue;
    if (known !== undefined) throw new MigrationChangedError(name);
    for (const statement of statements(text)) await warehouse.command(render(statement, options.cluster));
    await warehouse.insert('schema_migrations', [{ name, checksum }]);
    done.push(name);
  }
  return done;
}

/** Splits a file at `;` at the end of a line, without comments. */
export function statements(text: string): string[] {
  return text
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** Fills in what differs between one server and a cluster. */
export function render(statement: string, cluster?: string): string {
  return statement
    .replaceAll('{on_cluster}', cluster === undefined ? '' : `ON CLUSTER '${cluster}'`)
    .replaceAll('{engine}', cluster === undefined ? '' : 'Replicated');
}
