import type { Config } from '../config.js';
import { createSealing } from '../domain/sealing.js';
import { createLocks } from '../redis/locks.js';
import { createAlerts, type Alerts } from '../repositories/alerts.js';
import { createAlertStore, type AlertStore } from '../warehouse/queries/alerts.js';
import { createSendWebhook, type SendWebhook } from '../webhooks/send.js';
import type { Stores } from './stores.js';

/** How alerts leave the service. */
export type AlertConfig = Pick<Config, 'secretsKey' | 'webhooksToPrivate'>;

/** The alerts of the shops of `warehouse`, and what sends them. */
export function openAlerts(
  { secretsKey, webhooksToPrivate }: AlertConfig,
  { redis, warehouse, takeStamps, now }: Pick<Stores, 'redis' | 'warehouse' | 'takeStamps' | 'now'>,
): { store: AlertStore; alerts: Alerts; send: SendWebhook } {
  const store = createAlertStore(warehouse);
  const sealing = secretsKey === undefined ? undefined : createSealing(secretsKey);
  return {
    store,
    alerts: createAlerts({ store, sealing, takeStamps, withLock: createLocks(redis), now }),
    send: createSendWebhook({ allowPrivate: webhooksToPrivate }),
  };
}
