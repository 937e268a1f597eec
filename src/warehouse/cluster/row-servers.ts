import { createWarehouse, type Warehouse } from '../client.js';
import { checkShards, notOneSchema } from './check-shards.js';
import { localDatabase } from './distribute.js';
import { requireSingle } from './single.js';

/** A server that holds rows: the only one, or one of the shards. */
export interface RowServer {
  /** Host and port, for messages. */
  name: string;
  url: string;
  /** From 1. */
  shard: number;
  /** A connection to this server alone, without Distributed tables. */
  warehouse: Warehouse;
}

/** The servers that hold the rows of a deployment; a single server counts as one shard. */
export interface RowServers {
  /** The database of the service. */
  database: string;
  /** The database that holds the rows on each server; on a single server that of the service. */
  rows: string;
  /** The cluster of the shards; undefined on a single server. */
  cluster: string | undefined;
  shards: number;
  all: readonly RowServer[];
  /** One server of each shard, in the order of the shards. */
  holders: readonly RowServer[];
  close(): Promise<void>;
}

export interface RowServersOptions {
  clickhouseUrl: string | undefined;
  clickhouseDatabase: string;
  shards: { cluster: string; nodes: readonly string[] } | undefined;
}

/**
 * Connects to every server. Throws a ClusterError unless they are one cluster with one schema. `isMoving` allows different
 * schemas.
 */
export async function openRowServers(
  options: RowServersOptions,
  { waitMs, isMoving = false }: { waitMs: number; isMoving?: boolean },
): Promise<RowServers> {
  const { clickhouseUrl = '', clickhouseDatabase: database, shards: named } = options;
  const nodes = (named?.nodes ?? [clickhouseUrl]).map((url) => ({
    name: new URL(url).host,
    url,
    warehouse: createWarehouse({ url, database: 'system', waitMs }),
  }));
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map(({ warehouse }) => warehouse.close()));
  };
  const one = { database, rows: database, cluster: undefined, shards: 1, close };
  try {
    if (named === undefined) {
      const all = nodes.map((node) => ({ ...node, shard: 1 }));
      await Promise.all(all.map(({ warehouse }) => requireSingle(warehouse, database)));
      return { ...one, all, holders: all };
    }
    const { cluster } = named;
    const { shards, shardOf, isOneSchema } = await checkShards(nodes, { cluster, database, isMoving });
    if (!isOneSchema && !isMoving) throw notOneSchema(cluster);
    const all = nodes.map((node, i) => ({ ...node, shard: shardOf[i] ?? 0 }));
    const holders = Array.from({ length: shards }, (_, i) => all.find(({ shard }) => shard === i + 1)).filter(
      (holder) => holder !== undefined,
    );
    return { ...one, rows: localDatabase(database), cluster, shards, all, holders };
  } catch (error) {
    await close();
    throw error;
  }
}
