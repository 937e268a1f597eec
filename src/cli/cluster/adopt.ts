import { clickhouseFolder } from '../../paths.js';
import { completeHistories } from '../../warehouse/backup/settings.js';
import { dropDatabase } from '../../warehouse/backup/snapshot.js';
import { putInPlace } from '../../warehouse/backup/staging.js';
import { storedTables } from '../../warehouse/backup/tables.js';
import { localRowsStatement } from '../../warehouse/bi/access-sql.js';
import { BI_DATABASE } from '../../warehouse/bi/access.js';
import { readDictionary } from '../../warehouse/bi/dictionary.js';
import { createBiUsers } from '../../warehouse/bi/users.js';
import { createWarehouse, type Warehouse } from '../../warehouse/client.js';
import { checkShards } from '../../warehouse/cluster/check-shards.js';
import { insertsAreOver } from '../../warehouse/cluster/closing.js';
import { localDatabase } from '../../warehouse/cluster/distribute.js';
import { noteMove, readMove } from '../../warehouse/cluster/move-state.js';
import { formOf, singleDatabase, type Form } from '../../warehouse/cluster/single.js';
import { isAccessRefused } from '../../warehouse/failures.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { render } from '../../warehouse/migrations/migrations.js';
import { applyAll, migrateShards } from '../commands/migrate.js';
import { withMoveLocks, type LockOptions } from './locks.js';
import type { ShardsConfig } from './steps.js';

/** What is told of an adoption, in this order; `place` before each table, in a trial before `close` and again. */
export type AdoptStep = 'prepare' | 'close' | 'place' | 'open' | 'clear';

interface AdoptOptions extends LockOptions {
  /** The name in `remote_servers` under which the server is the only shard. */
  cluster: string;
  onStep: (step: AdoptStep) => void;
}

/** What the steps work with. */
interface Adoption extends AdoptOptions {
  server: Warehouse;
  to: ShardsConfig;
  /** Databases: of the service, of the tables that are put aside, of those of the shard. */
  database: string;
  aside: string;
  local: string;
  requireLock: () => Promise<void>;
}

/** Large tables have many parts. */
const PATIENT_MS = 60 * 60_000;

/**
 * Makes a single server the only shard of a cluster. Its tables are put aside at one stroke, so that nobody writes or reads
 * them; the tables of a shard get the same files, and the way to them is opened when all have. Until then the tables that were
 * put aside stay as they were, and one that was killed is run again. False where the server is that shard already.
 * Throws a {@link ClusterError}.
 */
export async function runAdopt(options: AdoptOptions): Promise<boolean> {
  const { clickhouseUrl, clickhouseDatabase: database, shards, clickhouseCluster } = options.config;
  if (shards !== undefined || clickhouseCluster !== undefined || clickhouseUrl === undefined)
    throw new ClusterError('run this with the variables of a service of a single server: without CLICKHOUSE_CLUSTER');
  const to = { cluster: options.cluster, nodes: [clickhouseUrl] };
  const server = createWarehouse({ url: clickhouseUrl, database: 'system', waitMs: PATIENT_MS });
  const names = { database, aside: singleDatabase(database), local: localDatabase(database) };
  try {
    return await withMoveLocks(options, (requireLock) => adopt({ ...options, ...names, server, to, requireLock }));
  } finally {
    await server.close();
  }
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
  // Once they are opened they take new rows, and may not be replaced any more.
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

/** How far the server has come; throws where it can't become the only shard. */
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

/** All that can be refused, beside the running service: the newest schema, the tables of the shard, and a trial of what follows. */
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

/** While nobody reads or writes the tables; harmless to repeat until they are open. */
async function putAllInPlace(work: Adoption): Promise<void> {
  const { server, aside, local, requireLock } = work;
  await requireLock();
  // Its views would show the tables over the shards, where no row filter holds.
  await dropDatabase(server, BI_DATABASE);
  await insertsAreOver([server]);
  await putInPlaceFrom(aside, work);
  // They name the tables of the service, and would begin to see what is written to those of the shard.
  const views = await server.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = {aside:String} AND engine = 'MaterializedView'`,
    { aside },
  );
  for (const { name } of views) await server.command(`DROP VIEW IF EXISTS ${aside}.${name} SYNC`);
  // An insert that was cut off by the renaming.
  await completeHistories(server, local);
}

async function grantLocalRows({ server, local }: Adoption): Promise<void> {
  for (const { user } of await createBiUsers(server, local).list()) {
    await server.command(render(localRowsStatement(user))).catch((error: unknown) => {
      // Of a user in a file, the file says it.
      if (!isAccessRefused(error)) throw error;
    });
  }
}

/** Gives the tables of the shard the files of all rows; they are not copied. */
async function putInPlaceFrom(at: string, { server, local, requireLock, onStep }: Adoption): Promise<void> {
  for (const table of await storedTables(server, at)) {
    await requireLock();
    onStep('place');
    await putInPlace(server, { at, into: local, table });
  }
}
