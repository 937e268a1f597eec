import { Type } from 'typebox';
import type { Warehouse } from '../client.js';
import { BI_ACCESS } from '../migrations/views.js';
import { ClusterError } from './cluster-error.js';
import { localDatabase } from './distribute.js';
import { defineQuery, nullable, texts } from '../query.js';

/** The shards as the configuration names them. */
export interface ShardLayout {
  cluster: string;
  /** Every server, those of a shard one after the other, in the order of the shards. */
  nodes: readonly string[];
  /** Servers of each shard. */
  replicas: number;
}

/** A server as a server lists it in `remote_servers`. */
export interface Place {
  shard: number;
  replica: number;
  /** The server lists itself, possibly under another name than others use. */
  isLocal: boolean;
  host: string;
  /** Null if the host name can't be resolved. */
  address: string | null;
  port: number;
  isInternal: boolean;
}

/** What a server knows about itself and the cluster. */
export interface ServerState {
  /** In messages. */
  name: string;
  places: readonly Place[];
  /** It has tables of a single server. */
  isSingle: boolean;
  /** For which `shard of shards` it has its rows; empty: it has no tables yet. */
  mark: string;
  /** The migrations that were applied, as text. */
  schema: string;
}

/** Under this name `schema_migrations` says for which shard a server has its rows. */
export const SHARD_MARK = 'shard';

export const markOf = (shard: number, shards: number): string => `${shard} of ${shards}`;

/** The shard of a server by its place in the list, from 1. */
export const shardOfNode = (index: number, { replicas }: Pick<ShardLayout, 'replicas'>): number =>
  Math.floor(index / replicas) + 1;

/** The servers of each shard. */
export const nodesByShard = ({ nodes, replicas }: Pick<ShardLayout, 'nodes' | 'replicas'>): string[][] =>
  Array.from({ length: nodes.length / replicas }, (_, i) => nodes.slice(i * replicas, (i + 1) * replicas));

const PLACES = defineQuery('places of servers', {
  shard: Type.Number(),
  replica: Type.Number(),
  is_local: Type.Number(),
  host: Type.String(),
  address: nullable(Type.String()),
  port: Type.Number(),
  is_internal: Type.Number(),
});
const NOTED_DATABASES = defineQuery('databases with a schema', texts('database'));
const SHARD_NOTES = defineQuery('notes of a shard', texts('name', 'checksum'));
const SCHEMA_TABLES = defineQuery('tables of a schema', texts('name'));

const NOTES = `^[0-9]{3}_|^${SHARD_MARK}$`;

export async function readServer(
  name: string,
  server: Warehouse,
  cluster: string,
  database: string,
): Promise<ServerState> {
  const local = localDatabase(database);
  const [places, tables] = await Promise.all([
    server.ask(
      PLACES(
        `SELECT shard_num AS shard, replica_num AS replica, is_local, host_name AS host, host_address AS address, port,
         internal_replication AS is_internal FROM system.clusters WHERE cluster = {cluster:String} ORDER BY shard, replica`,
        { cluster },
      ),
    ),
    server.ask(
      NOTED_DATABASES(
        `SELECT database FROM system.tables WHERE name = 'schema_migrations' AND database IN {databases:Array(String)}`,
        { databases: [database, local] },
      ),
    ),
  ]);
  const notes = tables.some((table) => table.database === local)
    ? await server.ask(
        SHARD_NOTES(
          `SELECT name, checksum FROM ${local}.schema_migrations FINAL WHERE match(name, '${NOTES}') ORDER BY name`,
        ),
      )
    : [];
  return {
    name,
    places: places.map(({ is_local, is_internal, ...place }) => ({
      ...place,
      isLocal: is_local === 1,
      isInternal: is_internal === 1,
    })),
    isSingle: tables.some((table) => table.database === database),
    mark: notes.find((row) => row.name === SHARD_MARK)?.checksum ?? '',
    schema: JSON.stringify(notes.filter((row) => ![SHARD_MARK, BI_ACCESS].includes(row.name))),
  };
}

/** Throws a {@link ClusterError} unless the servers are those of the layout, each with the rows of the shard that it is. */
export function requireShards(states: readonly ServerState[], layout: ShardLayout): void {
  const { cluster, nodes, replicas } = layout;
  const shards = nodes.length / replicas;
  if (!Number.isInteger(shards))
    throw new ClusterError(`CLICKHOUSE_NODES names ${nodes.length} servers: not ${replicas} for each shard`);
  const seen = new Map<string, Place & { by: string }>();
  for (const [index, { name, places, isSingle, mark }] of states.entries()) {
    const shard = shardOfNode(index, layout);
    const fault = (message: string): never => {
      throw new ClusterError(message);
    };
    if (places.length === 0)
      fault(`${name} knows no cluster "${cluster}": correct CLICKHOUSE_CLUSTER, or remote_servers of that server`);
    if (places.length !== nodes.length || places.some((place) => place.shard > shards || place.replica > replicas))
      fault(
        `"${cluster}" of ${name} has ${places.length} servers in ${new Set(places.map((place) => place.shard)).size} shards, ` +
          `but CLICKHOUSE_NODES names ${nodes.length}, ${replicas} for each shard`,
      );
    const own = places.find(({ isLocal }) => isLocal);
    if (own === undefined) fault(`${name} is no server of the cluster "${cluster}": correct CLICKHOUSE_NODES`);
    else if (own.shard !== shard)
      fault(
        `${name} is of shard ${own.shard} of "${cluster}", but CLICKHOUSE_NODES names it as one of shard ${shard}: ` +
          'name the servers in the order of the shards',
      );
    if (places.some(({ isInternal }) => isInternal !== replicas > 1))
      fault(
        `"${cluster}" of ${name} must have <internal_replication>${replicas > 1 ? 'true' : 'false'}</internal_replication> ` +
          `in every shard, since CLICKHOUSE_REPLICAS is ${replicas}`,
      );
    for (const place of places.filter(({ isLocal }) => !isLocal)) {
      const key = `${place.shard}/${place.replica}`;
      const known = seen.get(key);
      if (known === undefined) seen.set(key, { ...place, by: name });
      else if (!isSame(known, place))
        fault(
          `the servers differ about shard ${place.shard} of "${cluster}": ${known.by} has ${known.host}:${known.port} and ` +
            `${name} has ${place.host}:${place.port}; list all in one order in remote_servers of each`,
        );
    }
    if (isSingle)
      fault(`${name} has the tables of a single server: name an empty server, or another CLICKHOUSE_DATABASE`);
    if (mark !== '' && mark !== markOf(shard, shards))
      fault(
        `${name} has the rows of shard ${mark}, but is shard ${markOf(shard, shards)}: name the shards that its rows were stored for`,
      );
  }
}

const isSame = (a: Place, b: Place): boolean =>
  a.port === b.port && (a.host === b.host || (a.address !== null && a.address === b.address));

/** Throws a {@link ClusterError} if a server that should be a single one is a shard: it would get a second set of tables. */
export async function requireSingle(server: Warehouse, database: string): Promise<void> {
  const tables = await server.ask(
    SCHEMA_TABLES(`SELECT name FROM system.tables WHERE database = {local:String} AND name = 'schema_migrations'`, {
      local: localDatabase(database),
    }),
  );
  if (tables.length > 0)
    throw new ClusterError(
      `the tables of "${database}" are those of a shard: set CLICKHOUSE_CLUSTER and CLICKHOUSE_NODES`,
    );
}
