import { createWarehouse, type Warehouse } from '../client.js';
import { readServer, requireShards, requireSingle, shardOfNode, type ShardLayout } from './check-shards.js';
import { localDatabase } from './distribute.js';

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
  shards: ShardLayout | undefined;
}

/** Connects to every server. Throws a ClusterError unless they are the shards of the configuration, or a single server. */
export async function openRowServers(options: RowServersOptions, { waitMs }: { waitMs: number }): Promise<RowServers> {
  const { clickhouseUrl = '', clickhouseDatabase: database, shards: layout } = options;
  const all = (layout?.nodes ?? [clickhouseUrl]).map((url, index) => ({
    name: new URL(url).host,
    url,
    shard: layout === undefined ? 1 : shardOfNode(index, layout),
    warehouse: createWarehouse({ url, database: 'system', isReplicated: (layout?.replicas ?? 1) > 1, waitMs }),
  }));
  const close = async (): Promise<void> => {
    await Promise.all(all.map(({ warehouse }) => warehouse.close()));
  };
  try {
    if (layout === undefined) {
      for (const { warehouse } of all) await requireSingle(warehouse, database);
      return { database, rows: database, cluster: undefined, shards: 1, all, holders: all, close };
    }
    const { cluster, replicas } = layout;
    const states = all.map(({ name, warehouse }) => readServer(name, warehouse, cluster, database));
    requireShards(await Promise.all(states), layout);
    const holders = all.filter((_, index) => index % replicas === 0);
    return { database, rows: localDatabase(database), cluster, shards: holders.length, all, holders, close };
  } catch (error) {
    await close();
    throw error;
  }
}
