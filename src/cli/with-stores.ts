import { openStores, redisServers, type StoreOptions, type Stores } from '../composition/stores.js';
import { createDeadLetters, type DeadLetters } from '../queue/dead-letters.js';
import type { QueueName } from '../queue/jobs.js';
import { createProducer, type Producer, type ProducerOptions } from '../queue/producer.js';
import { createReceipts, type Receipts } from '../redis/receipts.js';
import { connectWorker } from '../redis/redis.js';
import { findTarget, NotRunningError, requireTarget } from './connect.js';
import { requireRedis, requireWarehouse } from './require-stores.js';
import { whileOpen } from './while-open.js';

/**
 * Runs a part of a command on the stores of the running service. Throws an error for people when one doesn't answer.
 *
 * @param options a statement over all that is stored needs more patience than others
 */
export async function withStores<T>(
  use: (stores: Stores) => Promise<T>,
  options: Pick<StoreOptions, 'warehouseWaitMs'> = {},
): Promise<T> {
  const { config } = requireTarget();
  return whileOpen(openStores(config, options), async (stores) => {
    await Promise.all([
      requireWarehouse(stores.warehouse, config.clickhouseUrl ?? ''),
      requireRedis(stores.redis, config.redisUrl ?? ''),
    ]);
    return use(stores);
  });
}

/** The same on what writes to the queues, with the receipts of pushes to one. */
export const withProducer = <T>(
  queue: QueueName,
  use: (target: { producer: Producer; receipts: Receipts }) => Promise<T>,
): Promise<T> =>
  withQueues((connectionOf) =>
    whileOpen(createProducer({ connectionOf }), (producer) =>
      use({ producer, receipts: createReceipts(connectionOf(queue)) }),
    ),
  );

/** The same on the dead letters of a queue, and on the receipts of their pushes. */
export const withDeadLetters = <T>(
  queue: QueueName,
  use: (letters: DeadLetters, receipts: Receipts) => Promise<T>,
): Promise<T> =>
  withQueues((connectionOf) => {
    const connection = connectionOf(queue);
    return whileOpen(createDeadLetters(connection, queue), (letters) => use(letters, createReceipts(connection)));
  });

type ConnectionOf = ProducerOptions['connectionOf'];

/** The same on the connections of the queues. */
export async function withQueues<T>(use: (connectionOf: ConnectionOf) => Promise<T>): Promise<T> {
  const { main, events } = redisServers(requireTarget().config);
  const connection = connectWorker(main);
  const eventsConnection = events === main ? connection : connectWorker(events);
  try {
    await Promise.all([requireRedis(connection, main.url), requireRedis(eventsConnection, events.url)]);
    return await use((queue) => (queue === 'events' ? eventsConnection : connection));
  } finally {
    connection.disconnect();
    eventsConnection.disconnect();
  }
}

/** The address that was given, else that of the running service. */
export function serviceUrl(given: string | undefined): string {
  const { url, config } = findTarget();
  const found = given ?? url;
  if (found === undefined) throw new NotRunningError(config.dataDir);
  return found;
}
