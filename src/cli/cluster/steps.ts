import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import type { Config } from '../../config.js';
import { putSpreadInPlace } from '../../warehouse/backup/spread.js';
import { filledTables, schemaOf } from '../../warehouse/backup/tables.js';
import { createWarehouse } from '../../warehouse/client.js';
import { closeReads, closeWrites, insertsAreOver } from '../../warehouse/cluster/closing.js';
import type { Shards } from '../../warehouse/cluster/distribute.js';
import { noteMove, type Move } from '../../warehouse/cluster/move-state.js';
import type { RowServer, RowServers } from '../../warehouse/cluster/row-servers.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { migrateShards } from '../commands/migrate.js';
import { whileOpen } from '../while-open.js';
import { copyRows } from './copy-rows.js';

export type ShardsConfig = NonNullable<Config['shards']>;

/** The steps of a move, in this order. `place` comes before each table; the others when all servers have noted them. */
export type Step = 'close' | 'copy' | 'switch' | 'place' | 'open' | 'clear';

export interface RebalanceOptions extends Pick<Stores, 'redis' | 'takeStamps'> {
  /** The configuration of the running service. */
  config: Config;
  /** The shards that get the rows. */
  to: ShardsConfig;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
  onStep: (step: Step) => void;
}

/** The data of all steps. */
export interface Work extends RebalanceOptions {
  /** The present shards of the service. */
  from: ShardsConfig;
  source: RowServers;
  target: RowServers;
  requireLock: () => Promise<void>;
}

/** The shards of the service as it runs. Throws a {@link ClusterError} where it has a single server. */
export function presentShards({ shards }: Config): ShardsConfig {
  if (shards !== undefined) return shards;
  throw new ClusterError('CLICKHOUSE_NODES names no shards: set it as the service has it');
}

/** The servers that have no rows yet. */
const addedServers = ({ source, target }: Pick<Work, 'source' | 'target'>): readonly RowServer[] =>
  target.all.filter(({ name }) => !source.all.some((server) => server.name === name));

/** The servers that have the rows, and those that get them. */
export const serversOf = (work: Work): readonly RowServer[] => [...work.source.all, ...addedServers(work)];

/** Notes on servers how far a move has come. A step is noted on all of them before it begins. */
export async function noteOn(
  servers: readonly RowServer[],
  { source, requireLock }: Pick<Work, 'source' | 'requireLock'>,
  move: Move | null,
): Promise<void> {
  await requireLock();
  await Promise.all(servers.map(({ warehouse }) => noteMove(warehouse, source.rows, move)));
}

/** Copies all rows to their new shards, while tables are read-only. What an earlier try copied is dropped. */
export async function copy(work: Work): Promise<void> {
  const { config, to, source, target, onStep, requireLock, takeStamps } = work;
  await noteOn(source.all, work, { step: 'copy', cluster: to.cluster });
  onStep('close');
  await Promise.all(source.all.map((server) => close(server, work)));
  await insertsAreOver(source.all.map(({ warehouse }) => warehouse));
  onStep('copy');
  await migrateShards(config, to, requireLock, { isMoving: true, isLocal: true });
  for (const { name, warehouse } of addedServers(work)) {
    for (const database of [target.rows, target.database]) {
      const [filled] = await filledTables(warehouse, database);
      if (filled === undefined) continue;
      throw new ClusterError(`${name} has rows already (${database}.${filled}): add a server that has none`);
    }
  }
  const { tables } = await schemaOf(source);
  await copyRows(source, target, { ...work, tables, stamp: await takeStamps() });
}

/** Makes the tables of the service read-only on a server. */
export function close({ url }: RowServer, { from, source }: Pick<Work, 'from' | 'source'>): Promise<void> {
  const shards: Shards = { database: source.database, cluster: from.cluster, shards: source.shards };
  return whileOpen(createWarehouse({ url, database: source.rows }), (local) => closeWrites(local, shards));
}

/** Puts the copies in place of the tables, which are closed; harmless to repeat until they are open. */
export async function putInPlace(work: Work): Promise<void> {
  const { to, source, target, onStep, requireLock } = work;
  const servers = serversOf(work);
  await noteOn(servers, work, { step: 'switch', cluster: to.cluster });
  onStep('switch');
  await Promise.all(servers.map(({ warehouse }) => closeReads(warehouse, source.database)));
  const { tables } = await schemaOf(target);
  for (const table of tables) {
    onStep('place');
    await requireLock();
    await putSpreadInPlace(target, table);
  }
}

/** Opens the tables. */
export async function open(work: Work): Promise<void> {
  const { config, to, onStep, requireLock } = work;
  await noteOn(serversOf(work), work, { step: 'open', cluster: to.cluster });
  onStep('open');
  await migrateShards(config, to, requireLock, { isMoving: true });
}
