import { dropSpread } from '../../warehouse/backup/spread.js';
import { PATIENT_MS } from '../../warehouse/client.js';
import { checkShards } from '../../warehouse/cluster/check-shards.js';
import { furthest, MovingError, readMove, type Move } from '../../warehouse/cluster/move-state.js';
import { openRowServers, type RowServers } from '../../warehouse/cluster/row-servers.js';
import { requireNotSingle } from '../../warehouse/cluster/single.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { migrateShards } from '../commands/migrate.js';
import { dropCopies } from './copy-rows.js';
import { withMoveLocks, type LockOptions } from './locks.js';
import {
  copy,
  noteOn,
  open,
  presentShards,
  putInPlace,
  serversOf,
  type RebalanceOptions,
  type ShardsConfig,
  type Work,
} from './steps.js';

/**
 * Moves the rows of the service to other shards: more, fewer, or in another order. Nothing is changed before all rows are copied, and
 * each copy is kept until it is in place, so that no row is ever lost; a move that was killed is run again. While rows are copied,
 * tables are read-only. While copies are put in place, tables are closed and reads get 503. Pushes wait in the queue. False if the rows
 * are in place already. Throws a {@link ClusterError}.
 */
export const runRebalance = (options: RebalanceOptions): Promise<boolean> =>
  withSource(options, async (present, openServers) => {
    const { to, config } = options;
    const { move, from, requireLock } = present;
    if (move !== null && move.cluster !== to.cluster) {
      throw new ClusterError(`rows are being moved to the shards "${move.cluster}": end that first`);
    }
    const work: Work = { ...options, ...present, target: await openServers(to) };
    requireNoReplicas(work.source);
    requireNoReplicas(work.target);
    if (move === null) {
      if (await isInPlace(work)) return false;
      await migrateShards(config, from, requireLock);
    }
    if (move === null || move.step === 'copy') await copy(work);
    if (move?.step !== 'open') await putInPlace(work);
    await open(work);
    options.onStep('clear');
    await Promise.all([dropSpread(work.target), dropCopies(work.source)]);
    await noteOn(serversOf(work), work, null);
    return true;
  });

/** Gives up a move if no copy was put in place yet; false if there is no move. Throws a {@link ClusterError}. */
export const cancelRebalance = (options: Omit<RebalanceOptions, 'to'>): Promise<boolean> =>
  withSource(options, async ({ move, from, source, requireLock }) => {
    if (move === null) return false;
    if (move.step !== 'copy') {
      throw new ClusterError('copies are put in place already: run profit cluster rebalance to its end');
    }
    await migrateShards(options.config, from, requireLock, { isMoving: true });
    // New servers may be away: the next move drops what they have.
    await Promise.all([dropSpread(source), dropCopies(source)]);
    await noteOn(source.all, { source, requireLock }, null);
    return true;
  });

function requireNoReplicas({ all, shards, cluster }: RowServers): void {
  if (all.length === shards) return;
  throw new ClusterError(
    `"${cluster}" has several servers a shard, which a rebalance can't move: take profit backup, restore it into new shards of one server each, then add servers with profit cluster repair`,
  );
}

/** True if no row has to be moved. */
async function isInPlace({ source: { database }, target, to: { cluster } }: Work): Promise<boolean> {
  try {
    const { isOneSchema, isClaimed } = await checkShards(target.all, { cluster, database });
    return isOneSchema && isClaimed;
  } catch (error) {
    if (error instanceof ClusterError) return false;
    throw error;
  }
}

interface Present extends Pick<Work, 'from' | 'source' | 'requireLock'> {
  /** The move that is under way. */
  move: Move | null;
}

/** Runs the work under the locks of a move, with connections to the present shards. */
function withSource<T>(
  options: LockOptions,
  use: (present: Present, openServers: (shards: ShardsConfig) => Promise<RowServers>) => Promise<T>,
): Promise<T> {
  const { config } = options;
  const from = presentShards(config);
  const opened: RowServers[] = [];
  const openServers = async (shards: ShardsConfig): Promise<RowServers> => {
    const servers = await openRowServers({ ...config, shards }, { waitMs: PATIENT_MS, isMoving: true });
    opened.push(servers);
    return servers;
  };
  return withMoveLocks(options, async (requireLock) => {
    try {
      const source = await openServers(from);
      const { database } = source;
      await Promise.all(source.all.map(({ name, warehouse }) => requireNotSingle(warehouse, { name, database })));
      const moves = source.all.map(({ warehouse }) => readMove(warehouse, source.rows));
      const move = furthest(await Promise.all(moves));
      if (move?.step === 'repair') throw new MovingError(move, move.cluster);
      return await use({ from, source, requireLock, move }, openServers);
    } finally {
      await Promise.all(opened.map((servers) => servers.close()));
    }
  });
}
