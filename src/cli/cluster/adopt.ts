import { clickhouseFolder } from '../../paths.js';
import { completeHistories } from '../../warehouse/queries/complete-histories.js';
import { dropDatabase } from '../../warehouse/backup/snapshot.js';
import { putInPlace } from '../../warehouse/backup/staging.js';
import { storedTables } from '../../warehouse/backup/tables.js';
import { localRowsStatement } from '../../warehouse/bi/access-sql.js';
import { BI_DATABASE } from '../../warehouse/bi/access.js';
import { readDictionary } from '../../warehouse/bi/dictionary.js';
import { createBiUsers } from '../../warehouse/bi/users.js';
import { createWarehouse, PATIENT_MS, type Warehouse } from '../../warehouse/client.js';
import { checkShards } from '../../warehouse/cluster/check-shards.js';
import { insertsAreOver } from '../../warehouse/cluster/closing.js';
import { localDatabase } from '../../warehouse/cluster/distribute.js';
import { noteMove, readMove } from '../../warehouse/cluster/move-state.js';
import { formOf, singleDatabase, type Form } from '../../warehouse/cluster/single.js';
import { isAccessRefused } from '../../warehouse/failures.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { render } from '../../warehouse/migrations/migrations.js';
import { applyAll, migrateShards } from '../commands/migrate.js';
import { whileOpen } from '../while-open.js';
import { withMoveLocks, type LockOptions } from './locks.js';
import type { ShardsConfig } from './steps.js';

/** The steps of an adoption, in this order. `place` comes before each table, once in the trial before `close` and once after it. */
export type AdoptStep = 'prepare' | 'close' | 'place' | 'open' | 'clear';

interface AdoptOptions extends LockOptions {
  /** The cluster in `remote_servers` whose only shard the server is. */
  cluster: string;
  onStep: (step: AdoptStep) => void;
}

/** The data of all steps. */
interface Adoption extends AdoptOptions {
  server: Warehouse;
  to: ShardsConfig;
  /** The databases of the service, of the tables that are put aside, and of the tables of the shard. */
  database: string;
  aside: string;
  local: string;
  requireLock: () => Promise<void>;
}

/**
 * Makes a single server the only shard of a cluster. A rename puts its tables aside in one step, so that nobody reads or writes them. The
 * tables of the shard get the same files, and are opened when all have them. Until then the old tables stay unchanged, and an adoption
 * that was killed can be run again. False if the server is that shard already. Throws a {@link ClusterError}.
 */
export async function runAdopt(options: AdoptOptions): Promise<boolean> {
  const { clickhouseUrl, clickhouseDatabase: database, shards, clickhouseCluster } = options.config;
  if (shards !== undefined || clickhouseCluster !== undefined || clickhouseUrl === undefined)
    throw new ClusterError('run this with the variables of a service of a single server: without CLICKHOUSE_CLUSTER');
  const to = { cluster: options.cluster, nodes: [clickhouseUrl] };
  const server = createWarehouse({ url: clickhouseUrl, database: 'system', waitMs: PATIENT_MS });
  const names = { database, aside: singleDatabase(database), local: localDatabase(database) };
  return whileOpen(server, () =>
    withMoveLocks(options, (requireLock) => adopt({ ...options, ...names, server, to, requireLock })),
  );
}

async function adopt(work: Adoption): Promise<boolean> {
  const { config, server, to, database, aside, onStep, requireLock } = work;
  const form = await requireFitting(work);
  if (form === 'shard') return false;
  if (form === 'single') {
    onStep('prepare');
    await prepare(work);
    await requireLock();
    onStep('close');
    await server.command(`RENAME DATABASE ${database} TO ${aside}`);
  }
  // Once opened, tables get new rows and must not be replaced any more.
  if ((await readMove(server, aside)) === null) {
    await putAllInPlace(work);
    await requireLock();
    await noteMove(server, aside, { step: 'open', cluster: to.cluster });
  }
  onStep('open');
  await migrateShards(config, to, requireLock, { isMoving: true });
  await grantLocalRows(work);
  await requireLock();
  onStep('clear');
  await dropDatabase(server, aside);
  return true;
}

/** The form of the server's tables; throws if it can't become the only shard. */
async function requireFitting({ server, to, database }: Adoption): Promise<Form> {
  const name = new URL(to.nodes[0] ?? '').host;
  const form = await formOf(server, database);
  if (form === 'none')
    throw new ClusterError(`${name} has no tables of the service: profit migrate makes those of a shard`);
  const [known] = await server.query<{ servers: string }>(
    'SELECT count() AS servers FROM system.clusters WHERE cluster = {cluster:String}',
    { cluster: to.cluster },
  );
  if (Number(known?.servers) > 1) {
    throw new ClusterError(
      `"${to.cluster}" has ${known?.servers} servers: name a cluster of ${name} alone; profit cluster rebalance adds others`,
    );
  }
  await checkShards([{ name, warehouse: server }], { cluster: to.cluster, database, isMoving: form !== 'shard' });
  return form;
}

/** Everything that may fail, while the service still runs: the newest schema, the tables of the shard, and a trial of the next step. */
async function prepare(work: Adoption): Promise<void> {
  const { config, server, to, database, local, requireLock } = work;
  await applyAll(config, requireLock);
  await migrateShards(config, to, requireLock, { isMoving: true, isLocal: true });
  const [noted] = await server.query<{ rows: string }>(
    `SELECT count() AS rows FROM ${local}.schema_migrations WHERE NOT match(name, '^[0-9]{3}_')`,
  );
  if (noted?.rows !== '0') throw new ClusterError(`"${local}" is of an earlier shard: drop that database`);
  const views = await readDictionary(clickhouseFolder('views/bi'));
  const others = await server.query<{ name: string }>(
    `SELECT concat(t.database, '.', t.name) AS name FROM system.tables AS t
     WHERE t.database = {database:String} AND t.name NOT IN (SELECT name FROM system.tables WHERE database = {local:String})
       OR t.database = '${BI_DATABASE}' AND t.name NOT IN {views:Array(String)}
     ORDER BY name`,
    { database, local, views: views.map(({ name }) => name) },
  );
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(', ');
    throw new ClusterError(`not of the service: ${names}; move them to another database, or drop them`);
  }
  await putInPlaceFrom(database, work);
}

/** Gives the shard its rows, while nobody reads or writes the tables; harmless to repeat until they are open. */
async function putAllInPlace(work: Adoption): Promise<void> {
  const { server, aside, local, requireLock } = work;
  await requireLock();
  // Its views would read the Distributed tables, which have no row filter.
  await dropDatabase(server, BI_DATABASE);
  await insertsAreOver([server]);
  await putInPlaceFrom(aside, work);
  // These views name the tables of the service, so they would run for rows that are written to the shard.
  const views = await server.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = {aside:String} AND engine = 'MaterializedView'`,
    { aside },
  );
  for (const { name } of views) await server.command(`DROP VIEW IF EXISTS ${aside}.${name} SYNC`);
  // The renaming may have cut off an insert.
  await completeHistories(server, local);
}

async function grantLocalRows({ server, local }: Adoption): Promise<void> {
  for (const { user } of await createBiUsers(server, local).list()) {
    await server.command(render(localRowsStatement(user))).catch((error: unknown) => {
      // A user in a file gets its rights there.
      if (!isAccessRefused(error)) throw error;
    });
  }
}

/** Gives the tables of the shard the files of all rows, without copying them. */
async function putInPlaceFrom(at: string, { server, local, requireLock, onStep }: Adoption): Promise<void> {
  for (const table of await storedTables(server, at)) {
    await requireLock();
    onStep('place');
    await putInPlace(server, { at, into: local, table });
  }
}
