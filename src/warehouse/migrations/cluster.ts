import type { Warehouse } from '../client.js';

/** A cluster that the service can't use; the message says what to change. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}

/**
 * Throws a {@link ClusterError} unless every row lies on every server of the cluster. Over several shards a figure would
 * silently be the part of one of them.
 */
export async function requireOneShard(warehouse: Warehouse, cluster: string): Promise<void> {
  const rows = await warehouse.query<{ shards: string }>(
    'SELECT uniqExact(shard_num) AS shards FROM system.clusters WHERE cluster = {cluster:String}',
    { cluster },
  );
  const shards = Number(rows[0]?.shards ?? 0);
  if (shards === 1) return;
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
