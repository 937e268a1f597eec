import { hash } from 'node:crypto';
import { ACCRUED_EXPENSES, COUNTING_RATES, DAY_PARTS } from '../bi/accrued-expenses.js';
import { profileStatements, readerStatements, settingNames, WORKLOAD_STATEMENTS } from '../bi/access-sql.js';
import { BI_DATABASE, BI_READER, BI_SHARDS } from '../bi/access.js';
import type { Warehouse } from '../client.js';
import { distributeBiRows } from '../cluster/distribute-bi.js';
import { isAccessRefused } from '../failures.js';
import { readSqlFiles } from '../sql-files.js';
import { noteChecksum, readChecksums, statements, type MigrationOptions } from './migrations.js';
import { customerOrderNumber } from '../queries/customer-orders.js';
import { LOCAL_DAY } from '../queries/local-days.js';
import { defineQuery, texts } from '../query.js';

/** Under this name `schema_migrations` has the checksum of the rights that were granted; they depend on the server's version. */
export const BI_ACCESS = 'bi/access';

/** A view of `bi` could not be made because the user that owns the views is missing. */
class BiReaderMissingError extends Error {
  override readonly name = 'BiReaderMissingError';
  constructor(cause: unknown) {
    super(
      `the views of "${BI_DATABASE}" need the user ${BI_READER}: let the service's own user manage access ` +
        '(access_management, or GRANT ACCESS MANAGEMENT ON *.*), then migrate again',
      { cause },
    );
  }
}

export interface ViewOptions extends MigrationOptions {
  /** The cluster of the shards, if `database` is the local database of one of them. */
  shards?: string;
  /** True for the embedded engine, which starts with its users and workloads (`embedded/engines`) and lets no one change them. */
  isEmbedded?: boolean;
}

/**
 * Makes the views of the database `bi` from the `*.sql` files of the folder, one view per file. In their statements `{database}` is the
 * database of the rows, `{final}` is FINAL where it is needed, `{definer}` names the owner, and {@link withParts} puts in what
 * several have. Run after the migrations. Harmless to repeat: a view is replaced when its file has changed or when it is missing.
 * Returns the names of the views that were made. Throws {@link BiReaderMissingError}.
 */
export async function applyViews(warehouse: Warehouse, options: ViewOptions): Promise<string[]> {
  const { folder, database, shards, isEmbedded = false } = options;
  const isSharded = shards !== undefined;
  const fill = (statement: string): string =>
    withParts(statement, isSharded)
      .replaceAll('{database}', isSharded ? BI_SHARDS : database)
      .replaceAll('{final}', isSharded ? '' : 'FINAL')
      .replaceAll('{definer}', `DEFINER = ${BI_READER} SQL SECURITY DEFINER`);
  await warehouse.run({
    name: 'create the database of the views',
    sql: fill(`CREATE DATABASE IF NOT EXISTS ${BI_DATABASE} ENGINE = Atomic`),
  });

  const known = await readChecksums(warehouse);

  if (!isEmbedded) {
    const rows = { database, isSharded };
    const access = [...profileStatements(await settingNames(warehouse), rows), ...readerStatements(rows)];
    const accessChecksum = hash('sha256', access.join('\n'));
    if (known.get(BI_ACCESS) !== accessChecksum) {
      if (await runPermitted(warehouse, access.map(fill))) await noteChecksum(warehouse, BI_ACCESS, accessChecksum);
    }
    if (!(await hasWorkloads(warehouse))) await runPermitted(warehouse, WORKLOAD_STATEMENTS);
  }
  if (isSharded) await distributeBiRows(warehouse, { local: database, cluster: shards }).catch(toReaderMissing);

  const there = await viewsThere(warehouse);
  const done: string[] = [];
  for (const { name: view, text } of await readSqlFiles(folder)) {
    const checksum = hash('sha256', `${database}\n${withParts(text.trim(), isSharded)}`);
    if (there.has(view) && known.get(`bi/${view}`) === checksum) continue;
    for (const statement of statements(text)) {
      await warehouse.run({ name: `view ${view}`, sql: fill(statement) }).catch(toReaderMissing);
    }
    await noteChecksum(warehouse, `bi/${view}`, checksum);
    done.push(view);
  }
  return done;
}

/**
 * `{accrued_expenses}`, `{counting_rates}`, `{day_parts}` and `{local_day}` stand for texts of these names, `{numbered TABLE}` for the rows
 * of a table of orders with their `customer_order_number`. On shards that is computed where the rows are.
 */
const withParts = (statement: string, isSharded: boolean): string =>
  statement
    .replaceAll('{accrued_expenses}', ACCRUED_EXPENSES)
    .replaceAll('{counting_rates}', COUNTING_RATES)
    .replaceAll('{day_parts}', DAY_PARTS)
    .replaceAll('{local_day}', LOCAL_DAY)
    .replaceAll(/\{numbered (\w+)\}/g, (_, table: string) => {
      const number = isSharded ? undefined : customerOrderNumber('{database}', table);
      const rows = `{database}.${table}`;
      return number === undefined ? rows : `(SELECT d.*, ${number} AS customer_order_number FROM ${rows} AS d FINAL)`;
    });

function toReaderMissing(error: unknown): never {
  throw isAccessRefused(error) ? new BiReaderMissingError(error) : error;
}

const WORKLOADS = defineQuery('other workloads', texts('name'));

/** Whether the server has workloads that are not of this service: then its operator says what `bi` may use. */
async function hasWorkloads(warehouse: Warehouse): Promise<boolean> {
  const others = await warehouse.ask(WORKLOADS("SELECT name FROM system.workloads WHERE name != 'bi'"));
  return others.length > 0;
}

/** Runs statements by which access is managed. False where the user may not: if users come from a file, that must name the owner of the views. */
async function runPermitted(warehouse: Warehouse, statements: readonly string[]): Promise<boolean> {
  for (const statement of statements) {
    try {
      await warehouse.run({ name: 'access of the views', sql: statement });
    } catch (error) {
      if (isAccessRefused(error)) return false;
      throw error;
    }
  }
  return true;
}

const VIEWS = defineQuery('views of bi', texts('name'));

async function viewsThere(warehouse: Warehouse): Promise<Set<string>> {
  const rows = await warehouse.ask(
    VIEWS('SELECT name FROM system.tables WHERE database = {bi:String}', { bi: BI_DATABASE }),
  );
  return new Set(rows.map((row) => row.name));
}
