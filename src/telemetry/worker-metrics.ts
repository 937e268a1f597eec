import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { IngestHeader } from '../domain/ingest.js';
import type { GroupJob, QueueName } from '../queue/jobs.js';
import { REBUILD_LANES } from '../redis/rebuild-queues.js';
import type { RebuildQueueState } from '../redis/rebuild-queue-state.js';

/** From milliseconds to what a warehouse may be away. */
export const AGE_BUCKETS = [0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300, 1_800, 7_200];
const FLUSH_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

type Flushed = GroupJob<{ header: Partial<IngestHeader> }>;

export interface WorkerMetrics {
  /** The same flush, whose work is counted. */
  countFlush<Job extends Flushed>(
    queue: QueueName,
    flush: (jobs: readonly Job[]) => Promise<void>,
  ): (jobs: readonly Job[]) => Promise<void>;
  turnFailed(loop: string): void;
  /** A day or order whose work failed by itself. */
  failedAlone(work: string): void;
  /** How long a query of a BI user has outlived its limit of time. */
  biOverdue(seconds: number): void;
  audited(result: 'done' | 'behind' | 'too large' | 'wrong', days: number): void;
}

export function createWorkerMetrics(register: Registry, now: () => number): WorkerMetrics {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers: [register] });
  const rows = counter('profit_flush_rows_total', 'Items that were written to the warehouse', ['queue']);
  const jobs = counter('profit_flush_jobs_total', 'Jobs that were written to the warehouse', ['queue']);
  const failures = counter('profit_flush_failures_total', 'Writes that failed', ['queue']);
  const turns = counter('profit_loop_failures_total', 'Turns of a background loop that failed', ['loop']);
  const alone = counter('profit_failed_alone_total', 'Days and orders whose work failed by itself', ['work']);
  const audited = counter('profit_audited_days_total', 'Days that the auditor looked at, and those found wrong', [
    'result',
  ]);
  const overdue = new Gauge({
    name: 'profit_bi_overdue_seconds',
    help: 'How long a query of a BI user has outlived its limit of time',
    aggregator: 'max',
    registers: [register],
  });
  audited.inc({ result: 'wrong' }, 0); // so that an alert sees the first one
  const seconds = new Histogram({
    name: 'profit_flush_seconds',
    help: 'Time of a write with all that follows it',
    labelNames: ['queue'],
    buckets: FLUSH_BUCKETS,
    registers: [register],
  });
  const stored = new Histogram({
    name: 'profit_stored_seconds',
    help: 'From the acceptance of a push to its rows in the warehouse',
    labelNames: ['queue'],
    buckets: AGE_BUCKETS,
    registers: [register],
  });

  return {
    countFlush: (queue, flush) => async (batch) => {
      const began = performance.now();
      try {
        await flush(batch);
      } catch (error) {
        failures.inc({ queue });
        throw error;
      }
      seconds.observe({ queue }, (performance.now() - began) / 1_000);
      jobs.inc({ queue }, batch.length);
      for (const { header } of batch.flatMap(({ pushes }) => pushes)) {
        rows.inc({ queue }, header.accepted ?? 0);
        if (header.received_at !== undefined) {
          stored.observe({ queue }, Math.max(0, now() - header.received_at) / 1_000);
        }
      }
    },
    turnFailed: (loop) => turns.inc({ loop }),
    failedAlone: (work) => alone.inc({ work }),
    biOverdue: (seconds) => overdue.set(seconds),
    audited: (result, days) => audited.inc({ result }, days),
  };
}

/** Gauges of days to rebuild and orders to credit again, read from Redis at each scrape. */
export function offerQueues(read: (name: string) => Promise<RebuildQueueState>, register: Registry): void {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, aggregator: 'max', registers: [register] });
  const leased = gauge('profit_leases', 'Days to rebuild and orders to credit again that a worker works on', ['work']);
  const quarantined = gauge(
    'profit_rebuild_failed_entries',
    'Days to rebuild and orders to credit again that failed by themselves and wait for a try',
    ['work'],
  );
  const oldest = gauge('profit_rebuild_oldest_seconds', 'Age of the oldest entry among those whose turn is next', [
    'work',
  ]);
  new Gauge({
    name: 'profit_rebuild_entries',
    help: 'Days (fresh, history, costs) and orders whose figures are behind their rows',
    labelNames: ['work'],
    aggregator: 'max',
    registers: [register],
    async collect() {
      const names = [...REBUILD_LANES, 'orders'];
      const states = await Promise.all(names.map((name) => read(`rebuild:${name}`).catch(() => null)));
      states.forEach((state, i) => {
        const work = names[i] ?? '';
        if (state === null) return;
        this.set({ work }, state.entries);
        leased.set({ work }, state.leased);
        quarantined.set({ work }, state.quarantined);
        oldest.set({ work }, state.oldestMs / 1_000);
      });
    },
  });
}

/** Gauge of the BI users that are closed, read at each scrape. */
export function offerClosedBiUsers(read: () => Promise<readonly unknown[]>, register: Registry): void {
  new Gauge({
    name: 'profit_bi_closed_users',
    help: 'BI users that were closed because a query of theirs could not be stopped',
    aggregator: 'max',
    registers: [register],
    async collect() {
      const closed = await read().catch(() => undefined);
      if (closed !== undefined) this.set(closed.length);
    },
  });
}
