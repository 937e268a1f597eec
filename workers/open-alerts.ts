import { openAlerts, type AlertConfig } from '../src/composition/alerts.js';
import type { Stores } from '../src/composition/stores.js';
import { createAlertTurns } from '../src/redis/alert-turns.js';
import { LockError, withLastingLock } from '../src/redis/lasting-lock.js';
import { createPastSettings } from '../src/repositories/past-settings.js';
import { createMetricsReader } from '../src/warehouse/queries/metrics.js';
import { createArrivalReader } from '../src/warehouse/queries/order-arrivals.js';
import { recentlyCounted } from '../src/warehouse/queries/push-hours.js';
import { createRestatementReader } from '../src/warehouse/queries/restatements.js';
import { createPastSettingsReader } from '../src/warehouse/queries/settings-history.js';
import { withTags } from '../src/warehouse/tags.js';
import { createAlertLoop, type AlertLoopDeps } from './alerts.js';
import type { Loop } from './loop.js';

/** Between two turns of a worker. */
export const ALERTS_EVERY_MS = 60_000;

/** The loop of the alerts of one shard, whose warehouse that of the stores is. */
export function openAlertLoop(
  config: AlertConfig,
  shardStores: Stores,
  shard: number,
  onError: AlertLoopDeps['onError'],
): Loop {
  const warehouse = withTags(shardStores.warehouse, () => ({ work: 'alerts' }));
  const stores = { ...shardStores, warehouse };
  const { redis, shards, now } = stores;
  return createAlertLoop({
    ...stores,
    ...openAlerts(config, stores),
    claim: (work) =>
      withLastingLock(redis, { name: `alerts:${shard}`, waitMs: 0 }, work).catch((error: unknown) => {
        if (error instanceof LockError) return false;
        throw error;
      }),
    turns: createAlertTurns(redis),
    pastSettings: createPastSettings(createPastSettingsReader(warehouse), now),
    metrics: createMetricsReader(warehouse),
    restatements: createRestatementReader(warehouse),
    readArrivals: createArrivalReader(warehouse, recentlyCounted(shards)),
    onError,
  });
}
