import type { Warehouse } from '../client.js';

/** A cluster that the service can't use; the message says what to change. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}

/**
 * Throws a {@link ClusterError} unless the cluster has one shard with exactly `replicas` servers, all of which must have a write before
 * it is answered. With several shards a figure would silently be that of one of them; a replica that is behind would not show what
 * was just written.
 */
export async function requireOneShard(warehouse: Warehouse, cluster: string, replicas: number): Promise<void> {
  const rows = await warehouse.query<{ shards: string; servers: string }>(
    'SELECT uniqExact(shard_num) AS shards, count() AS servers FROM system.clusters WHERE cluster = {cluster:String}',
    { cluster },
  );
  const [shards, servers] = [Number(rows[0]?.shards ?? 0), Number(rows[0]?.servers ?? 0)];
  if (shards === 1 && servers === replicas) return;
  if (shards === 1) {
    throw new ClusterError(
      `the cluster "${cluster}" has ${servers} server${servers === 1 ? '' : 's'}, but CLICKHOUSE_REPLICAS is ${replicas}: ` +
        'a write is answered when so many have it, so that it is read from each; set their number',
    );
  }
  if (shards === 0) {
    throw new ClusterError(
      `the server knows no cluster "${cluster}": correct CLICKHOUSE_CLUSTER, or remote_servers of the server`,
    );
  }
  throw new ClusterError(
    `the cluster "${cluster}" has ${shards} shards, but figures are right on one alone: ` +
      'name a cluster of one shard with replicas in CLICKHOUSE_CLUSTER',
  );
}
