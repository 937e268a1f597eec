import type { Warehouse } from '../client.js';
import { ClusterError } from '../migrations/cluster.js';
import { BI_LOCAL, BI_READER, BI_SHARDS, READER_TABLES } from '../bi/access.js';
import { bringUp, everywhere, type LocalTable } from './distribute.js';
import { PLACEMENT } from './placement.js';

/**
 * What the views of `bi` read on shards, see `bi/access.ts`: the rows that the owner of the views sees of a table of one server,
 * and those of all servers. A view with `FINAL` in it goes between, since a Distributed table would look at its own rights alone.
 */
function biRows({ name, columns, engine }: LocalTable, { local, cluster }: BiRowsOptions): string[] {
  const over = PLACEMENT[name] === 'everywhere' ? everywhere(cluster) : cluster;
  const final = engine.includes('Replacing') ? ' FINAL' : '';
  return [
    `CREATE OR REPLACE VIEW ${BI_LOCAL}.${name} DEFINER = ${BI_READER} SQL SECURITY DEFINER
     AS SELECT ${columns.map((column) => `\`${column}\``).join(', ')} FROM ${local}.${name}${final}`,
    `CREATE OR REPLACE TABLE ${BI_SHARDS}.${name} AS ${BI_LOCAL}.${name}
     ENGINE = Distributed('${over}', '${BI_LOCAL}', '${name}')`,
  ];
}

interface BiRowsOptions {
  /** Database of the tables of one server. */
  local: string;
  cluster: string;
}

/** A view that tells who has signed in at a server: nobody, where another server asks with the secret of the cluster. */
const SIGNED_IN = 'signed_in';

/** Makes it on one server, for {@link requireSecret}. */
export const tellSignedIn = (warehouse: Warehouse, local: string): Promise<void> =>
  warehouse.command(`CREATE VIEW IF NOT EXISTS ${local}.${SIGNED_IN} AS SELECT authenticatedUser() AS user`);

/** Makes them on one server; harmless to repeat. `warehouse` is a connection to its `local` database. */
export async function distributeBiRows(warehouse: Warehouse, options: BiRowsOptions): Promise<void> {
  for (const database of [BI_LOCAL, BI_SHARDS])
    await warehouse.command(`CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`);
  await tellSignedIn(warehouse, options.local);
  await bringUp(warehouse, {
    known: `${BI_SHARDS}/`,
    database: BI_SHARDS,
    tables: READER_TABLES,
    statements: (table) => biRows(table, options),
  });
}

/**
 * Throws a {@link ClusterError} where a server asks the others as a user that `remote_servers` names: BI users would be nobody
 * there, and see a part of their rows. `warehouse` is a connection to the `local` database; all servers have their tables.
 */
export async function requireSecret(
  warehouse: Warehouse,
  { local, cluster, name }: BiRowsOptions & { name: string },
): Promise<void> {
  // In a view, so that each server answers by itself.
  const [row] = await warehouse.query<{ named: string }>(
    `SELECT countIf(user != '') AS named FROM cluster('${cluster}', ${local}.${SIGNED_IN})`,
  );
  // Its own shard it asks as who has signed in.
  if (Number(row?.named) <= 1) return;
  throw new ClusterError(
    `${name} asks other servers of "${cluster}" as a user by name: give "${cluster}" and "${everywhere(cluster)}" a <secret> in remote_servers`,
  );
}
