import type { Stores } from '../../composition/stores.js';
import { QUEUES, type QueueName } from '../../queue/jobs.js';
import { readQueueStates, type QueueState } from '../../queue/queue-state.js';

/** The state of every queue, wherever it lies. */
export async function allQueueStates(
  redisOf: (queue: QueueName) => Stores['redis'],
): Promise<Map<QueueName, QueueState>> {
  const states = await Promise.all(QUEUES.map((queue) => readQueueStates(redisOf(queue), [queue])));
  return new Map(states.flatMap((own) => [...own]));
}
