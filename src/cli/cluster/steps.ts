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
import { copyRows } from './copy-rows.js';

export type ShardsConfig = NonNullable<Config['shards']>;

/** What is told of a move, in this order: `place` before each table, the others as soon as servers know of it. */
export type Step = 'close' | 'copy' | 'switch' | 'place' | 'open' | 'clear';

export interface RebalanceOptions extends Pick<Stores, 'redis' | 'takeStamps'> {
  /** Of the service as it runs. */
  config: Config;
  /** The shards that are to have the rows. */
  to: ShardsConfig;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
  onStep: (step: Step) => void;
}

/** What the steps work with. */
export interface Work extends RebalanceOptions {
  /** The service's present shards. */
  from: ShardsConfig;
  source: RowServers;
  target: RowServers;
  requireLock: () => Promise<void>;
}

/** The servers that are not among those that have the rows now. */
export const addedServers = ({ source, target }: Pick<Work, 'source' | 'target'>): readonly RowServer[] =>
  target.all.filter(({ name }) => !source.all.some((server) => server.name === name));

/** Tells the servers how far the move has come: a step is noted on all of them before it begins. */
export async function note(
  { source, requireLock }: Pick<Work, 'source' | 'requireLock'>,
  others: readonly RowServer[],
  move: Move | null,
): Promise<void> {
  await requireLock();
  await Promise.all([...source.all, ...others].map(({ warehouse }) => noteMove(warehouse, source.rows, move)));
}

/** Copies all rows to where they are to be, while nobody writes any. What an earlier try copied is dropped. */
export async function copy(work: Work): Promise<void> {
  const { config, to, source, target, onStep, requireLock, takeStamps } = work;
  await note(work, [], { step: 'copy', cluster: to.cluster });
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

/** Lets a server take no more rows of the service. */
export async function close({ url }: RowServer, { from, source }: Pick<Work, 'from' | 'source'>): Promise<void> {
  const shards: Shards = { database: source.database, cluster: from.cluster, shards: source.shards };
  const local = createWarehouse({ url, database: source.rows });
  try {
    await closeWrites(local, shards);
  } finally {
    await local.close();
  }
}

/** Makes the copies the tables of the service, while nobody reads them; harmless to repeat until they are open. */
export async function putInPlace(work: Work): Promise<void> {
  const { to, source, target, onStep, requireLock } = work;
  const added = addedServers(work);
  await note(work, added, { step: 'switch', cluster: to.cluster });
  onStep('switch');
  await Promise.all([...source.all, ...added].map(({ warehouse }) => closeReads(warehouse, source.database)));
  const { tables } = await schemaOf(target);
  for (const table of tables) {
    onStep('place');
    await requireLock();
    await putSpreadInPlace(target, table);
  }
}

/** Opens the tables to all. */
export async function open(work: Work): Promise<void> {
  const { config, to, onStep, requireLock } = work;
  await note(work, addedServers(work), { step: 'open', cluster: to.cluster });
  onStep('open');
  await migrateShards(config, to, requireLock, { isMoving: true });
}
