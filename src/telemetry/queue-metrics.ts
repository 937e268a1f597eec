import { Gauge, type Registry } from 'prom-client';
import type { QueueState } from '../queue/queue-state.js';
import type { QueueView } from '../queue/capacity.js';

/**
 * What the queues hold, as it was seen at the last look, by Redis server. All processes see the same, so the largest value
 * counts.
 */
export function offerQueues(views: readonly (() => QueueView)[], register: Registry): void {
  const of = (name: string, help: string, read: (state: QueueState, isStandstill: boolean) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      aggregator: 'max' as const,
      registers: [register],
      collect() {
        for (const { states, standstill } of views.map((view) => view())) {
          for (const [queue, state] of states) this.set({ queue }, read(state, standstill.includes(queue)));
        }
      },
    });
  };
  const highest = (name: string, help: string, read: (view: QueueView) => number): void => {
    new Gauge({
      name,
      help,
      aggregator: 'max' as const,
      registers: [register],
      collect() {
        this.set(Math.max(...views.map((view) => read(view()))));
      },
    });
  };

  of('profit_queue_waiting', 'Jobs that wait for a worker', ({ waiting }) => waiting);
  of('profit_queue_active', 'Jobs that a worker holds', ({ active }) => active);
  of('profit_queue_delayed', 'Jobs that failed for a passing reason and wait for their next try', (s) => s.delayed);
  of('profit_queue_dead_letters', 'Jobs that failed for good and are kept', ({ failed }) => failed);
  of('profit_queue_bytes', 'Bytes of the jobs that are not done, estimated from a sample', ({ bytes }) => bytes);
  of('profit_queue_oldest_seconds', 'Age of the oldest job that no worker has tried', (s) => s.oldestMs / 1_000);
  of('profit_queue_standstill', '1 when nothing has left the queue for 30 s although jobs wait', (_, isStandstill) =>
    isStandstill ? 1 : 0,
  );
  highest('profit_queue_closed', '1 while writes are refused because the queues are over their budget', (view) =>
    view.over === null && view.eventsOver === null ? 0 : 1,
  );
  highest('profit_redis_memory_bytes', 'Memory that Redis uses', ({ memory }) => memory.used);
  highest('profit_redis_memory_limit_bytes', 'Memory that Redis may use; 0 where it has no limit', ({ memory }) => {
    return memory.limit;
  });
}
