import { setTimeout as sleep } from 'node:timers/promises';
import type { Stores } from '../../composition/stores.js';
import type { QueueName } from '../../queue/jobs.js';
import { REBUILD_LANES } from '../../redis/rebuild-queues.js';
import { runAudit, type AuditOptions, type AuditSummary } from '../commands/audit.js';
import { BackupError } from './manifest.js';
import { allQueueStates } from './queue-states.js';

export interface VerifyOptions extends Pick<AuditOptions, 'stderr' | 'signal' | 'print' | 'from' | 'to'> {
  redisOf: (queue: QueueName) => Stores['redis'];
  /** Gives up after this time without progress. */
  patienceMs?: number;
}

const POLL_MS = 250;
const PATIENCE_MS = 60_000;

/** Waits until workers have emptied the queues, then audits every day of the range. Throws a {@link BackupError} if there is no progress. */
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

/** Counts open jobs, orders and days, in the order in which work flows, so that none is missed. */
async function openWork(
  { rebuildQueues, attributionQueue }: Stores,
  redisOf: VerifyOptions['redisOf'],
): Promise<number> {
  let open = 0;
  for (const { waiting, active, delayed } of (await allQueueStates(redisOf)).values())
    open += waiting + active + delayed;
  open += await attributionQueue.count();
  for (const lane of REBUILD_LANES) open += await rebuildQueues.lanes[lane].count();
  return open;
}
