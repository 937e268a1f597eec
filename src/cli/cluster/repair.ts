import { filledTables } from '../../warehouse/backup/tables.js';
import { dropDatabase } from '../../warehouse/backup/snapshot.js';
import { BI_LOCAL, BI_SHARDS } from '../../warehouse/bi/access.js';
import { PATIENT_MS } from '../../warehouse/client.js';
import { markOf, SHARD_MARK } from '../../warehouse/cluster/check-shards.js';
import { insertsAreOver } from '../../warehouse/cluster/closing.js';
import { furthest, MovingError, readMove } from '../../warehouse/cluster/move-state.js';
import { openRowServers, type RowServer, type RowServers } from '../../warehouse/cluster/row-servers.js';
import { formOf } from '../../warehouse/cluster/single.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { migrateShards } from '../commands/migrate.js';
import { cloneOf, cloneRows, placeClone, setTtlMerges, type Clone } from './clone-rows.js';
import { whileOpen } from '../while-open.js';
import { withMoveLocks, type LockOptions } from './locks.js';
import { close, noteOn, presentShards, type ShardsConfig } from './steps.js';

/** The steps of a repair, in this order. */
export type RepairStep = 'close' | 'drop' | 'copy' | 'place' | 'open' | 'clear';

interface RepairOptions extends LockOptions {
  /** Host and port of the server to fill, as in CLICKHOUSE_NODES. */
  node: string;
  stderr: Clone['stderr'];
  onStep: (step: RepairStep) => void;
}

/** The data of all steps. */
interface Repair extends RepairOptions, Clone {
  from: ShardsConfig;
  /** All servers but the one that is filled. */
  others: readonly RowServer[];
}

/** Wait for the first answer of each server. */
const ANSWER_MS = 10_000;

/**
 * Fills a server that lacks rows from another one of its shard. Pushes wait meanwhile, and the server is not read before it has all rows.
 * A repair that was killed starts from the beginning. Throws a {@link ClusterError}.
 */
export function runRepair(options: RepairOptions): Promise<void> {
  const { config } = options;
  const from = presentShards(config);
  return withMoveLocks(options, async (requireLock) => {
    await requireAll(options);
    await whileOpen(await openRowServers(config, { waitMs: PATIENT_MS, isMoving: true }), async (source) =>
      repair({ ...options, ...(await choose(source, options.node)), from, source, requireLock }),
    );
  });
}

async function repair(work: Repair): Promise<void> {
  const { config, from, source, server, sibling, others, node, onStep, requireLock } = work;
  await noteOn(others, work, { step: 'repair', cluster: node });
  onStep('close');
  await Promise.all(others.map((other) => close(other, work)));
  await insertsAreOver(source.all.map(({ warehouse }) => warehouse));
  onStep('drop');
  await requireLock();
  // The Distributed tables first. Without its tables the other servers skip it.
  for (const database of [source.database, BI_SHARDS, BI_LOCAL, source.rows])
    await dropDatabase(server.warehouse, database);
  onStep('copy');
  const views = await cloneRows(work);
  await requireLock();
  onStep('place');
  await placeClone(work, views);
  onStep('open');
  await migrateShards(config, from, requireLock, { isMoving: true });
  await setTtlMerges(server.warehouse, source.rows, 'START');
  onStep('clear');
  await dropDatabase(sibling.warehouse, cloneOf(source));
  await noteOn(source.all, work, null);
}

/** Throws if a server does not answer, before anything is changed. */
async function requireAll({ config }: RepairOptions): Promise<void> {
  try {
    await (await openRowServers(config, { waitMs: ANSWER_MS, isMoving: true })).close();
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    throw new ClusterError('a server of CLICKHOUSE_NODES gives no answer: a repair needs all; nothing was changed', {
      cause: error,
    });
  }
}

/** The server to fill and one to copy from. Throws if there is none. */
async function choose(source: RowServers, node: string): Promise<Pick<Repair, 'server' | 'sibling' | 'others'>> {
  const { database, rows, all, shards } = source;
  const server = all.find(({ name }) => name === node);
  if (server === undefined) {
    const names = all.map(({ name }) => name).join(', ');
    // The message does not repeat the argument: it may be a URL with a password.
    throw new ClusterError(`give the server by host and port, one of ${names}`);
  }
  const others = all.filter((other) => other !== server);
  const isShard = await Promise.all(others.map(({ warehouse }) => formOf(warehouse, database)));
  const lost = others.find((_, i) => isShard[i] !== 'shard');
  if (lost !== undefined)
    throw new ClusterError(`${lost.name} has no tables of a shard: only one server can be filled`);
  const move = furthest(await Promise.all(others.map(({ warehouse }) => readMove(warehouse, rows))));
  if (move !== null && (move.step !== 'repair' || move.cluster !== node)) throw new MovingError(move, node);
  const filled = await Promise.all(
    others.map(async ({ warehouse }) => (await filledTables(warehouse, rows)).length > 0),
  );
  const sibling = others.find(({ shard }, i) => shard === server.shard && filled[i] === true);
  if (sibling !== undefined) {
    const [own] = await sibling.warehouse.query<{ mark: string }>(
      `SELECT checksum AS mark FROM ${rows}.schema_migrations FINAL WHERE name = '${SHARD_MARK}'`,
    );
    if (own?.mark === markOf({ shard: server.shard, shards })) return { server, sibling, others };
  }
  throw new ClusterError(`no other server of its shard has the rows of ${node}: nothing was changed`);
}
