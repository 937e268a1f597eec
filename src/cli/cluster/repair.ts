import { filledTables } from '../../warehouse/backup/tables.js';
import { dropDatabase } from '../../warehouse/backup/snapshot.js';
import { BI_LOCAL, BI_SHARDS } from '../../warehouse/bi/access.js';
import { insertsAreOver } from '../../warehouse/cluster/closing.js';
import { furthest, MovingError, noteMove, readMove, type Move } from '../../warehouse/cluster/move-state.js';
import { openRowServers, type RowServer, type RowServers } from '../../warehouse/cluster/row-servers.js';
import { formOf } from '../../warehouse/cluster/single.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { migrateShards } from '../commands/migrate.js';
import { cloneOf, cloneRows, keepAged, placeClone, type Clone } from './clone-rows.js';
import { withMoveLocks, type LockOptions } from './locks.js';
import { close, type ShardsConfig } from './steps.js';

/** What is told of a repair, in this order. */
export type RepairStep = 'close' | 'drop' | 'copy' | 'place' | 'open' | 'clear';

interface RepairOptions extends LockOptions {
  /** Host and port of the server to fill, as in CLICKHOUSE_NODES. */
  node: string;
  stderr: Clone['stderr'];
  onStep: (step: RepairStep) => void;
}

/** What the steps work with. */
interface Repair extends RepairOptions, Clone {
  from: ShardsConfig;
  /** All but the one that is filled. */
  others: readonly RowServer[];
}

/** Of the first question to each server. */
const ANSWER_MS = 10_000;
/** A statement may read all that is stored. */
const PATIENT_MS = 60 * 60_000;

/**
 * Fills a server that has lost its rows, or does not have all, from another one of its shard. What is pushed waits meanwhile, and
 * nobody reads the server before it has all. One that was killed is run again, and begins again. Throws a {@link ClusterError}.
 */
export function runRepair(options: RepairOptions): Promise<void> {
  const { config } = options;
  const { shards: from } = config;
  if (from === undefined) throw new ClusterError('CLICKHOUSE_NODES names no shards: set it as the service has it');
  return withMoveLocks(options, async (requireLock) => {
    await requireAll(options);
    const source = await openRowServers(config, { waitMs: PATIENT_MS, isMoving: true });
    try {
      await repair({ ...options, ...(await choose(source, options.node)), from, source, requireLock });
    } finally {
      await source.close();
    }
  });
}

async function repair(work: Repair): Promise<void> {
  const { config, from, source, server, sibling, others, node, onStep, requireLock } = work;
  await note(work, others, { step: 'repair', cluster: node });
  onStep('close');
  await Promise.all(others.map((other) => close(other, work)));
  await insertsAreOver(source.all.map(({ warehouse }) => warehouse));
  onStep('drop');
  await requireLock();
  // The ways to it first: without its tables the others pass it by.
  for (const database of [source.database, BI_SHARDS, BI_LOCAL, source.rows])
    await dropDatabase(server.warehouse, database);
  onStep('copy');
  const views = await cloneRows(work);
  await requireLock();
  onStep('place');
  await placeClone(work, views);
  onStep('open');
  await migrateShards(config, from, requireLock, { isMoving: true });
  await keepAged(server.warehouse, source.rows, false);
  onStep('clear');
  await dropDatabase(sibling.warehouse, cloneOf(source));
  await note(work, source.all, null);
}

async function note({ source, requireLock }: Repair, servers: readonly RowServer[], move: Move | null): Promise<void> {
  await requireLock();
  await Promise.all(servers.map(({ warehouse }) => noteMove(warehouse, source.rows, move)));
}

/** Throws where a server gives no answer, before anything is changed. */
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

/** The server, and one that has all that it is to have. Throws where there is none. */
async function choose(source: RowServers, node: string): Promise<Pick<Repair, 'server' | 'sibling' | 'others'>> {
  const { database, rows, all, shards } = source;
  const server = all.find(({ name }) => name === node);
  if (server === undefined) {
    const names = all.map(({ name }) => name).join(', ');
    // Not what was given: it may be a URL with its password.
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
      `SELECT checksum AS mark FROM ${rows}.schema_migrations FINAL WHERE name = 'shard'`,
    );
    const mark = `${server.shard} of ${shards}`;
    if (own?.mark === mark) return { server, sibling, others };
  }
  throw new ClusterError(`no other server of its shard has the rows of ${node}: nothing was changed`);
}
