import type { Config } from '../config.js';
import { watchCapacity } from '../queue/capacity.js';
import { QUEUES } from '../queue/jobs.js';
import { createProducer } from '../queue/producer.js';
import { noteEventQueuePlace } from '../redis/event-queue-place.js';
import { connectProducer } from '../redis/redis.js';
import { countPushes, type createPushCounts } from '../telemetry/push-metrics.js';
import { offerQueues } from '../telemetry/queue-metrics.js';
import { eventQueuePlace, redisServers, type Stores } from './stores.js';

/** The durable queue as the API fills it, and its budget; events may have a Redis of their own. */
export function openQueue(config: Config, { redis, register }: Stores, count: ReturnType<typeof createPushCounts>) {
  const { main, events } = redisServers(config);
  const queueRedis = connectProducer(main);
  const eventsRedis = events === main ? queueRedis : connectProducer(events);
  void noteEventQueuePlace(redis, eventQueuePlace(config));
  const plain = createProducer({
    connectionOf: (queue) => (queue === 'events' ? eventsRedis : queueRedis),
    replicas: config.redisReplicas,
  });
  const producer = countPushes(plain, count);
  const budget = { maxBytes: config.queueMaxBytes, maxAgeMs: config.queueMaxAgeSeconds * 1_000 };
  const others = QUEUES.filter((queue) => queue !== 'events');
  const capacity = watchCapacity(redis, events === main ? QUEUES : others, budget);
  const eventCapacity = events === main ? capacity : watchCapacity(eventsRedis, ['events'], budget);
  const capacities = [...new Set([capacity, eventCapacity])];
  offerQueues(
    capacities.map(({ view }) => view),
    register,
  );
  return {
    producer,
    capacity,
    eventCapacity,
    /** Whether no queue refuses writes, and jobs leave each. */
    isWithinBudget: () => capacities.every(({ ok }) => ok()),
    async close() {
      for (const each of capacities) each.stop();
      await producer.close();
      queueRedis.disconnect();
      eventsRedis.disconnect();
    },
  };
}
