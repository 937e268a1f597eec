import { openStores, type Stores } from '../composition/stores.js';
import { queueConnection } from '../queue/connection.js';
import { createProducer, type Producer } from '../queue/producer.js';
import { findTarget, NotRunningError, requireTarget } from './connect.js';
import { requireRedis, requireWarehouse } from './reach.js';

/** Runs a part of a command on the stores of the running service. Throws an error for people when one doesn't answer. */
export async function withStores<T>(use: (stores: Stores) => Promise<T>): Promise<T> {
  const { config } = requireTarget();
  const stores = openStores(config);
  try {
    await Promise.all([
      requireWarehouse(stores.warehouse, config.clickhouseUrl ?? ''),
      requireRedis(stores.redis, config.redisUrl ?? ''),
    ]);
    return await use(stores);
  } finally {
    await stores.close();
  }
}

/** The same on the queues. */
export async function withProducer<T>(use: (producer: Producer) => Promise<T>): Promise<T> {
  const url = requireTarget().config.redisUrl ?? '';
  const connection = queueConnection(url, { failFast: false });
  try {
    await requireRedis(connection, url);
    const producer = createProducer(connection);
    try {
      return await use(producer);
    } finally {
      await producer.close();
    }
  } finally {
    connection.disconnect();
  }
}

/** The address that was given, else that of the running service. */
export function serviceUrl(given: string | undefined): string {
  const { url, config } = findTarget();
  const found = given ?? url;
  if (found === undefined) throw new NotRunningError(config.dataDir);
  return found;
}
