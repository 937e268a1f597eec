import { setTimeout as sleep } from 'node:timers/promises';
import type { Stores } from '../../composition/stores.js';
import { QUEUES, type QueueName } from '../../queue/jobs.js';
import { createQueueStates } from '../../queue/queue-state.js';
import { DIRTY_LANES } from '../../redis/dirty-days.js';
import { runAudit, type AuditOptions, type AuditSummary } from '../commands/audit.js';
import { BackupError } from './manifest.js';

export interface VerifyOptions extends Pick<AuditOptions, 'stderr' | 'signal' | 'print'> {
  redisOf: (queue: QueueName) => Stores['redis'];
  /** Given up after this time in which nothing went on. */
  patienceMs?: number;
}

const POLL_MS = 250;
const PATIENCE_MS = 60_000;

/** Waits until workers have done what the queues hold, then audits every day. Throws a {@link BackupError} where none works. */
export async function runVerify(stores: Stores, options: VerifyOptions): Promise<AuditSummary> {
  const { redisOf, signal, patienceMs = PATIENCE_MS } = options;
  let least = Infinity;
  let since = performance.now();
  for (let open = await openWork(stores, redisOf); open > 0; open = await openWork(stores, redisOf)) {
    if (open < least) [least, since] = [open, performance.now()];
    if (performance.now() - since > patienceMs) {
      throw new BackupError(
        `all is restored, but ${open} jobs and days wait and no worker takes them: start the service, then profit audit`,
      );
    }
    await sleep(POLL_MS, undefined, { signal });
  }
  return runAudit(stores, options);
}

/** Jobs, orders and days, in the order in which work flows, so that none slips past. */
async function openWork({ dirtyDays, dirtyOrders }: Stores, redisOf: VerifyOptions['redisOf']): Promise<number> {
  let open = 0;
  for (const queue of QUEUES) {
    const state = (await createQueueStates(redisOf(queue), [queue])()).get(queue);
    if (state !== undefined) open += state.waiting + state.active + state.delayed;
  }
  open += await dirtyOrders.count();
  for (const lane of DIRTY_LANES) open += await dirtyDays.lanes[lane].count();
  return open;
}
