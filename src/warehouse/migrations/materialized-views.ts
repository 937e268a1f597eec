import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';
import { readSqlFiles } from '../sql-files.js';
import { noteChecksum, readChecksums, statements } from './migrations.js';

export interface MaterializedViewOptions {
  /** Folder of the folders {@link FOLDERS}. */
  folder: string;
  /** Throws when another process may be migrating too; called before each statement. */
  requireLock?: () => Promise<void>;
}

/** Of `clickhouse/views`: files `VIEW.sql`, each with one statement of {@link FORM}. */
export const FOLDERS = ['rollups', 'history'];
const FORM = /^CREATE MATERIALIZED VIEW (\w+) TO (\w+) AS\s(.+)$/s;

const VIEWS = defineQuery('materialized views', texts('name', 'target'));

/**
 * Makes the materialized views of the service as their files say, replaces the query of those whose file has changed, and drops those that
 * have no file. Run after the migrations. Harmless to repeat, also while a service writes: the query of a view is
 * exchanged in one step (`MODIFY QUERY`), so an insert meets the old or the new one. Only a view that gets another target is dropped and made again:
 * give it another name where that may happen during writes. Returns the names of the views that were made or changed.
 */
export async function applyMaterializedViews(
  warehouse: Warehouse,
  { folder, requireLock }: MaterializedViewOptions,
): Promise<string[]> {
  const known = await readChecksums(warehouse);
  const found = await warehouse.ask(
    VIEWS(
      `SELECT name, extract(create_table_query, ' TO (?:\\w+\\.)?(\\w+)') AS target FROM system.tables
       WHERE database = currentDatabase() AND engine = 'MaterializedView'`,
    ),
  );
  const targets = new Map(found.map(({ name, target }) => [name, target]));
  const run = async (view: string, sql: string): Promise<void> => {
    await requireLock?.();
    await warehouse.run({ name: `view ${view}`, sql });
  };
  const done: string[] = [];
  const files = (await Promise.all(FOLDERS.map((name) => readSqlFiles(join(folder, name))))).flat();
  for (const { name: view, text } of files) {
    const [statement = ''] = statements(text);
    const [, name, target, query] = FORM.exec(statement) ?? [];
    if (name !== view || query === undefined)
      throw new RangeError(`${view}.sql must be: CREATE MATERIALIZED VIEW ${view} TO … AS …`);
    const checksum = hash('sha256', statement);
    const present = targets.get(view);
    targets.delete(view);
    if (present === target && known.get(noteOf(view)) === checksum) continue;
    if (present === target) await run(view, `ALTER TABLE ${view} MODIFY QUERY ${query}`);
    else {
      if (present !== undefined) await run(view, `DROP VIEW ${view} SYNC`);
      await run(view, statement);
    }
    await noteChecksum(warehouse, noteOf(view), checksum);
    done.push(view);
  }
  for (const view of targets.keys()) await run(view, `DROP VIEW ${view} SYNC`);
  return done;
}

/** Under this name `schema_migrations` has the checksum of a view. */
const noteOf = (view: string): string => `view/${view}`;
