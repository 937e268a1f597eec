import { dropSpread } from '../../warehouse/backup/spread.js';
import { checkShards } from '../../warehouse/cluster/check-shards.js';
import { furthest, MovingError, readMove, type Move } from '../../warehouse/cluster/move-state.js';
import { openRowServers, type RowServers } from '../../warehouse/cluster/row-servers.js';
import { requireNotSingle } from '../../warehouse/cluster/single.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { migrateShards } from '../commands/migrate.js';
import { dropCopies } from './copy-rows.js';
import { withMoveLocks, type LockOptions } from './locks.js';
import {
  addedServers,
  copy,
  note,
  open,
  putInPlace,
  type RebalanceOptions,
  type ShardsConfig,
  type Work,
} from './steps.js';

/** A statement may read all that is stored. */
const PATIENT_MS = 60 * 60_000;

/**
 * Moves the rows of the service to other shards: more, fewer, or in another order. Nothing that is there is changed before all is
 * copied, and the copies are kept until each is in place, so that every row is always somewhere; one that was killed is run again.
 * Meanwhile tables are read and not written, then, as the copies are put in place, neither: figures are right or not told, and
 * what is pushed waits in the queue. False where the rows are in place already. Throws a {@link ClusterError}.
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
    await note(work, addedServers(work), null);
    return true;
  });

/** Gives up a move as long as nothing was put in place; false where none is under way. Throws a {@link ClusterError}. */
export const cancelRebalance = (options: Omit<RebalanceOptions, 'to'>): Promise<boolean> =>
  withSource(options, async ({ move, from, source, requireLock }) => {
    if (move === null) return false;
    if (move.step !== 'copy') {
      throw new ClusterError('copies are put in place already: run profit cluster rebalance to its end');
    }
    await migrateShards(options.config, from, requireLock, { isMoving: true });
    // The next move drops what is on new servers, which may be away.
    await Promise.all([dropSpread(source), dropCopies(source)]);
    await note({ source, requireLock }, [], null);
    return true;
  });

function requireNoReplicas({ all, shards, cluster }: RowServers): void {
  if (all.length === shards) return;
  throw new ClusterError(
    `"${cluster}" has several servers a shard, which a rebalance can't move: take profit backup, restore it into new shards of one server each, then add servers with profit cluster repair`,
  );
}

/** True where no row has to be moved. */
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
  /** How far one has come that is not over. */
  move: Move | null;
}

/** Runs the work while nobody else moves, copies or migrates the warehouse. */
function withSource<T>(
  options: LockOptions,
  use: (present: Present, openServers: (shards: ShardsConfig) => Promise<RowServers>) => Promise<T>,
): Promise<T> {
  const { config } = options;
  const { shards: from } = config;
  if (from === undefined) throw new ClusterError('CLICKHOUSE_NODES names no shards: set it as the service has it');
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
