import { openAlerts, type AlertConfig } from '../src/composition/alerts.js';
import type { Stores } from '../src/composition/stores.js';
import { readMorningSummary } from '../src/figures/morning-summary.js';
import { createAlertTurns } from '../src/redis/alert-turns.js';
import { LockError, withLastingLock } from '../src/redis/lasting-lock.js';
import { createPastSettings } from '../src/repositories/past-settings.js';
import { createCustomerReader } from '../src/warehouse/queries/customers.js';
import { createMetricsReader } from '../src/warehouse/queries/metrics.js';
import { createArrivalReader } from '../src/warehouse/queries/order-arrivals.js';
import { recentlyCounted } from '../src/warehouse/queries/push-hours.js';
import { createRestatementReader } from '../src/warehouse/queries/restatements.js';
import { createRatesReader } from '../src/warehouse/queries/rates.js';
import { createPastSettingsReader } from '../src/warehouse/queries/settings-history.js';
import { withTags } from '../src/warehouse/tags.js';
import { createAlertMessageLoop } from './alert-messages.js';
import { createAlertLoop, type AlertLoopDeps } from './alerts.js';
import type { Loop } from './loop.js';

/** Between two turns of looking that found nothing, and two of sending. */
export const LOOKS_EVERY_MS = 60_000;
export const SENDS_EVERY_MS = 10_000;

/** The loops of the alerts of one shard, whose warehouse that of the stores is: one looks, the other sends. */
export function openAlertLoops(
  config: AlertConfig,
  shardStores: Stores,
  shard: number,
  onError: AlertLoopDeps['onError'],
): { look: Loop; send: Loop } {
  const warehouse = withTags(shardStores.warehouse, () => ({ work: 'alerts' }));
  const stores = { ...shardStores, warehouse };
  const { redis, shards, now } = stores;
  const opened = { ...stores, ...openAlerts(config, stores), onError };
  const claimOf =
    (what: string): AlertLoopDeps['claim'] =>
    (work) =>
      withLastingLock(redis, { name: `${what}:${shard}`, waitMs: 0 }, work).catch((error: unknown) => {
        if (error instanceof LockError) return false;
        throw error;
      });
  const read = {
    ...opened,
    pastSettings: createPastSettings(createPastSettingsReader(warehouse), createRatesReader(warehouse), now),
    metrics: createMetricsReader(warehouse),
    customers: createCustomerReader(warehouse),
    restatements: createRestatementReader(warehouse),
  };
  return {
    look: createAlertLoop({
      ...read,
      claim: claimOf('alerts'),
      turns: createAlertTurns(redis, 'looked'),
      readArrivals: createArrivalReader(warehouse, recentlyCounted(shards)),
    }),
    send: createAlertMessageLoop({
      ...opened,
      claim: claimOf('alert-messages'),
      turns: createAlertTurns(redis, 'sent'),
      async readSummary(shopId, source, alert, rule) {
        const told = (await opened.store.recent(shopId, alert.since)).filter(
          ({ kind, since }) => kind === alert.kind && since < alert.since,
        );
        // The rule may have been turned off and on again while the message waited.
        const changedSince = Math.min(alert.since, Math.max(rule.onSince ?? 0, ...told.map(({ since }) => since)));
        return readMorningSummary(read, shopId, source, { alert, changedSince });
      },
    }),
  };
}
