import { localDatabase } from '../../src/warehouse/cluster/distribute.js';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import type { Service } from './service.js';

/**
 * What a test does to stored rows past the service: on the one server that there is, or on the local tables of each, since tables
 * over shards take no mutation and none that is computed takes rows.
 */
export async function onEachServer(
  { config, stores }: Pick<Service, 'config' | 'stores'>,
  work: (warehouse: Warehouse) => Promise<void>,
): Promise<void> {
  if (config.shards === undefined) {
    await work(stores.warehouse);
    return;
  }
  for (const url of config.shards.nodes) {
    const server = createWarehouse({ url, database: localDatabase(config.clickhouseDatabase) });
    await work(server).finally(() => server.close());
  }
}

/** What takes rows of a table that is computed on each shard, all rows of a `key` on one: the table itself on a single server. */
export function tableOfShards({ config }: Pick<Service, 'config'>, table: string, key: string): string {
  const { shards, clickhouseDatabase: database } = config;
  return shards === undefined
    ? table
    : `FUNCTION cluster('${shards.cluster}', ${localDatabase(database)}.${table}, sipHash64(${key}))`;
}
