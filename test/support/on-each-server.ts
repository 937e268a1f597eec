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
