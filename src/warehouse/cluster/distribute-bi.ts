import type { Warehouse } from '../client.js';
import { ClusterError } from './cluster-error.js';
import { BI_LOCAL, BI_READER, BI_SHARDS, READER_TABLES } from '../bi/access.js';
import { bringUp, type LocalTable } from './distribute.js';
import { customerOrderNumber } from '../queries/customer-orders.js';
import { quoted } from '../sql.js';
import { defineQuery, texts } from '../query.js';

/**
 * What the views of `bi` read on shards, see `bi/access.ts`: a view of the rows of one server that the owner of the views sees, and a
 * Distributed table over these views. The view has the `FINAL`, since a Distributed table checks only its own rights.
 */
function biRows({ name, columns, engine }: LocalTable, { local, cluster }: BiRowsOptions): string[] {
  const final = engine.includes('Replacing') ? ' FINAL' : '';
  const number = customerOrderNumber(local, name);
  const selected = `${quoted(columns)}${number === undefined ? '' : `, ${number} AS customer_order_number`}`;
  return [
    `CREATE OR REPLACE VIEW ${BI_LOCAL}.${name} DEFINER = ${BI_READER} SQL SECURITY DEFINER
     AS SELECT ${selected} FROM ${local}.${name} AS d${final}`,
    `CREATE OR REPLACE TABLE ${BI_SHARDS}.${name} AS ${BI_LOCAL}.${name}
     ENGINE = Distributed('${cluster}', '${BI_LOCAL}', '${name}')`,
  ];
}

interface BiRowsOptions {
  /** Database of the tables of one server. */
  local: string;
  cluster: string;
}

/** A view that names the user who signed in at a server: no one if another server asks with the secret of the cluster. */
const SIGNED_IN = 'signed_in';

/** Makes it on one server, for {@link requireSecret}. */
export const tellSignedIn = (warehouse: Warehouse, local: string): Promise<void> =>
  warehouse.run({
    name: 'create a view of who signed in',
    sql: `CREATE VIEW IF NOT EXISTS ${local}.${SIGNED_IN} AS SELECT authenticatedUser() AS user`,
  });

/** Makes them on one server; harmless to repeat. `warehouse` is a connection to its `local` database. */
export async function distributeBiRows(warehouse: Warehouse, options: BiRowsOptions): Promise<void> {
  for (const database of [BI_LOCAL, BI_SHARDS])
    await warehouse.run({
      name: 'create a database',
      sql: `CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`,
    });
  await tellSignedIn(warehouse, options.local);
  await bringUp(warehouse, {
    known: `${BI_SHARDS}/`,
    database: BI_SHARDS,
    isOver: (table) => READER_TABLES.some((name) => name === table),
    statements: (table) => biRows(table, options),
  });
}

const NAMED_USERS = defineQuery('servers that sign in by name', texts('named'));

/**
 * Throws a {@link ClusterError} if a server signs in at the others as a user of `remote_servers`: BI users would be unknown there and
 * see only a part of their rows. `warehouse` is a connection to the `local` database; all servers must have their tables.
 */
export async function requireSecret(
  warehouse: Warehouse,
  { local, cluster, name }: BiRowsOptions & { name: string },
): Promise<void> {
  // In a view, so that each server answers for itself.
  const [row] = await warehouse.ask(
    NAMED_USERS(`SELECT countIf(user != '') AS named FROM cluster('${cluster}', ${local}.${SIGNED_IN})`),
  );
  // A server queries its own shard as the user who signed in.
  if (Number(row?.named) <= 1) return;
  throw new ClusterError(
    `${name} asks other servers of "${cluster}" as a user by name: give "${cluster}" a <secret> in remote_servers`,
  );
}
