import type { Warehouse } from '../client.js';
import { ClusterError } from '../migrations/cluster.js';
import { BI_ACCESS } from '../migrations/views.js';
import { everywhere, localDatabase } from './distribute.js';
import { MOVE, MovingError, parseMove, type Move } from './move-state.js';
import { KEYED, shardOf } from './placement.js';
import { requireOneOrder, type Place } from './one-order.js';
import { requireNotSingle } from './single.js';

/** A connection to one server of the cluster, and what messages call it. */
export interface Node {
  name: string;
  /** To a database that exists on every server. */
  warehouse: Warehouse;
}

/** What a server knows about itself and the cluster. */
interface NodeState {
  name: string;
  /** The shard it belongs to, from 1. */
  shard: number;
  shards: number;
  /** Its place among the servers of its shard, from 1. */
  replica: number;
  /** All servers as it lists them. */
  places: readonly Place[];
  /** Whether it has any rows of the service. */
  isFilled: boolean;
  /** How many servers it lists in the cluster, and in the cluster `everywhere`. */
  servers: number;
  copies: number;
  /** For which `shard of shards` its rows were stored; empty: no rows were stored. */
  mark: string;
  /** The move of its rows to other shards. */
  move: Move | null;
  /** The migrations that were applied, as text. */
  schema: string;
}

/** Under this name `schema_migrations` says for which shard the rows of a server were stored. */
export const SHARD_MARK = 'shard';

/** Tables that may have rows before there is any push. */
const UNFILLED = ['schema_migrations', 'push_hours'];

export const markOf = ({ shard, shards }: { shard: number; shards: number }): string => `${shard} of ${shards}`;

export const notOneSchema = (cluster: string): ClusterError =>
  new ClusterError(`the servers of "${cluster}" do not have one schema: run profit migrate`);

async function stateOf({ name, warehouse }: Node, cluster: string, database: string): Promise<NodeState> {
  const local = localDatabase(database);
  const [own] = await warehouse.query<
    Record<'shard' | 'replica' | 'shards' | 'servers' | 'copies' | 'groups' | 'internal' | 'filled', string>
  >(
    `SELECT maxIf(shard_num, cluster = {cluster:String} AND is_local) AS shard,
       maxIf(replica_num, cluster = {cluster:String} AND is_local) AS replica,
       countIf(cluster IN ({cluster:String}, {everywhere:String}) AND internal_replication) AS internal,
       (SELECT count() FROM system.parts WHERE database = {local:String} AND active AND rows > 0
          AND table NOT IN {unfilled:Array(String)}) AS filled,
       countIf(cluster = {cluster:String}) AS servers,
       uniqExactIf(shard_num, cluster = {cluster:String}) AS shards,
       countIf(cluster = {everywhere:String}) AS copies, uniqExactIf(shard_num, cluster = {everywhere:String}) AS groups
     FROM system.clusters`,
    { cluster, everywhere: everywhere(cluster), local, unfilled: UNFILLED },
  );
  const is = {
    shard: Number(own?.shard),
    replica: Number(own?.replica),
    shards: Number(own?.shards),
    servers: Number(own?.servers),
  };
  const copies = Number(own?.copies);
  if (is.shards === 0) {
    throw new ClusterError(
      `${name} knows no cluster "${cluster}": correct CLICKHOUSE_CLUSTER, or remote_servers of that server`,
    );
  }
  if (is.shard === 0) {
    throw new ClusterError(
      `${name} is no server of the cluster "${cluster}": correct CLICKHOUSE_NODES, or remote_servers of that server`,
    );
  }
  if (Number(own?.groups) !== 1 || copies !== is.servers) {
    throw new ClusterError(
      `the cluster "${everywhere(cluster)}" of ${name} must have one shard, with all ${is.servers} servers of "${cluster}" as its replicas`,
    );
  }
  if (own?.internal !== '0') {
    throw new ClusterError(
      `"${cluster}" and "${everywhere(cluster)}" of ${name} must have no internal_replication: every server of a shard is written to`,
    );
  }
  const places = await warehouse.query<Omit<Place, 'isLocal'> & { is_local: number }>(
    `SELECT cluster, shard_num AS shard, replica_num AS replica, is_local, host_name AS host, host_address AS address, port
     FROM system.clusters WHERE cluster IN ({cluster:String}, {everywhere:String})`,
    { cluster, everywhere: everywhere(cluster) },
  );
  const [there] = await warehouse.query<{ there: string }>(
    `SELECT count() AS there FROM system.tables WHERE database = {local:String} AND name = 'schema_migrations'`,
    { local },
  );
  const applied =
    there?.there === '0'
      ? []
      : await warehouse.query<{ name: string; checksum: string }>(
          `SELECT name, checksum FROM ${local}.schema_migrations FINAL ORDER BY name`,
        );
  return {
    name,
    ...is,
    copies,
    isFilled: own.filled !== '0',
    places: places.map(({ is_local, ...place }) => ({ ...place, isLocal: is_local === 1 })),
    mark: applied.find((row) => row.name === SHARD_MARK)?.checksum ?? '',
    move: parseMove(applied.find((row) => row.name === MOVE)?.checksum ?? ''),
    schema: JSON.stringify(applied.filter(({ name: row }) => ![SHARD_MARK, MOVE, BI_ACCESS].includes(row))),
  };
}

export interface CheckedShards {
  shards: number;
  /** The shard of each server. */
  shardOf: readonly number[];
  /** All have one schema. */
  isOneSchema: boolean;
  /** Every server has noted that its rows were stored for the shard that it is. */
  isClaimed: boolean;
}

/**
 * Asks every server. Throws a {@link ClusterError} unless they are all servers of one cluster, each with its rows, and the rows of
 * each were stored for the shard that it is. `isMoving` allows rows that were stored for another shard.
 */
export async function checkShards(
  nodes: readonly Node[],
  { cluster, database, isMoving = false }: { cluster: string; database: string; isMoving?: boolean },
): Promise<CheckedShards> {
  const states = await Promise.all(nodes.map((node) => stateOf(node, cluster, database)));
  if (!isMoving) await Promise.all(nodes.map(({ name, warehouse }) => requireNotSingle(warehouse, { name, database })));
  const [first] = states;
  if (first === undefined) throw new ClusterError('CLICKHOUSE_NODES names no server');
  for (const state of states) {
    if (state.shards !== first.shards) {
      throw new ClusterError(
        `the servers differ about "${cluster}": it has ${first.shards} shards on ${first.name} and ${state.shards} on ${state.name}`,
      );
    }
    if (isMoving) continue;
    if (state.move !== null) throw new MovingError(state.move, state.name);
    if (state.mark !== '' && state.mark !== markOf(state)) {
      throw new ClusterError(
        `${state.name} holds the rows of shard ${state.mark}, but is shard ${markOf(state)} of "${cluster}": ` +
          'name the shards that its rows are placed for; profit cluster rebalance moves rows to others',
      );
    }
  }
  for (let shard = 1; shard <= first.shards; shard++) {
    if (!states.some((state) => state.shard === shard))
      throw new ClusterError(`CLICKHOUSE_NODES names no server of shard ${shard} of "${cluster}"`);
  }
  const named = new Set(states.map(({ shard, replica }) => `${shard}/${replica}`));
  if (named.size < first.servers || states.length > first.servers) {
    throw new ClusterError(
      `CLICKHOUSE_NODES must name each of the ${first.servers} servers of "${cluster}" once: it names ${named.size} of them` +
        (states.length > named.size ? ', some more than once' : ''),
    );
  }
  requireOneOrder(states);
  if (!isMoving) requireFilled(states);
  return {
    shards: first.shards,
    shardOf: states.map(({ shard }) => shard),
    isOneSchema: states.every(({ schema }) => schema === first.schema && schema !== '[]'),
    isClaimed: states.every((state) => state.mark === markOf(state)),
  };
}

/**
 * Throws a {@link ClusterError} if a server has lost its rows: it would be read with empty tables, and figures would be too low.
 * A server that has noted its shard had its tables before any row was written.
 */
function requireFilled(states: readonly NodeState[]): void {
  for (const { name, shard, mark, isFilled } of states) {
    const sibling = states.find((state) => state.shard === shard && state.isFilled);
    if (isFilled || mark !== '' || sibling === undefined) continue;
    throw new ClusterError(
      `${name} has none of the rows that ${sibling.name} of the same shard has: fill it with profit cluster repair ${name}`,
    );
  }
}

/**
 * Throws a {@link ClusterError} if a server has a row of another shard, where no query would find it. Else notes for which shard its
 * rows are, so that they need not be read again. `local` is a connection to the local database of the server.
 */
export async function claimRows(local: Warehouse, { name, cluster }: { name: string; cluster: string }): Promise<void> {
  const [own] = await local.query<{ shard: number; shards: number; mark: string }>(
    `SELECT toUInt32(maxIf(shard_num, is_local)) AS shard, toUInt32(uniqExact(shard_num)) AS shards,
       (SELECT any(checksum) FROM schema_migrations FINAL WHERE name = '${SHARD_MARK}') AS mark
     FROM system.clusters WHERE cluster = {cluster:String}`,
    { cluster },
  );
  if (own === undefined || own.mark === markOf(own)) return;
  // With one shard no row can be on another.
  for (const { table, key } of own.shards === 1 ? [] : KEYED) {
    const [found] = await local.query<{ rows: string }>(
      `SELECT count() AS rows FROM ${table} WHERE ${shardOf(key, own.shards)} != ${own.shard - 1}`,
    );
    if (found?.rows !== '0') {
      throw new ClusterError(
        `${name} holds ${found?.rows} rows of "${table}" that are not of shard ${markOf(own)}: ` +
          'name the shards that they were stored for; profit cluster rebalance moves rows to others',
      );
    }
  }
  await local.insert('schema_migrations', [{ name: SHARD_MARK, checksum: markOf(own) }]);
}
