import type { Logger } from 'pino';
import type { WorkerMetrics } from '../src/telemetry/worker-metrics.js';
import { hadBiUsers, runningQueries, stopUnboundQueries } from '../src/warehouse/bi/watch.js';
import type { Warehouse } from '../src/warehouse/client.js';
import type { Loop } from './loop.js';

/** A look each second costs the engine 4 ms; while there are no BI users, one at their list does, this long after the last. */
const NEW_USERS_MS = 5_000;

export interface BiLimitsDeps {
  servers: readonly Warehouse[];
  metrics: Pick<WorkerMetrics, 'biOverdue'>;
  log: Pick<Logger, 'warn'>;
  newUsersMs?: number;
}

/** Stops queries of BI users that have no limits any more. */
export function createBiLimitsLoop({ servers, metrics, log, newUsersMs = NEW_USERS_MS }: BiLimitsDeps): Loop {
  let hasUsers = false;
  let lookedAt = -Infinity;
  return async () => {
    if (!hasUsers) {
      if (performance.now() - lookedAt < newUsersMs) return false;
      hasUsers = await hadBiUsers(servers);
      lookedAt = performance.now();
      if (!hasUsers) return false;
    }
    const { queries, overdueSeconds } = await runningQueries(servers);
    metrics.biOverdue(overdueSeconds);
    if (queries === 0) return false;
    const stopped = await stopUnboundQueries(servers);
    if (stopped > 0) log.warn({ stopped }, 'queries of BI users without limits were stopped');
    return false;
  };
}
