import type { RequestHandler } from 'express';
import type { Config } from '../config.js';
import { createLimiter } from '../redis/limiters.js';
import { createSessionState } from '../redis/sessions.js';
import type { Stores } from './stores.js';
import { WEBHOOK_TESTS } from '../console/server/alerts.js';
import { createPages, SIGN_IN_TRIES } from '../console/server/routes.js';
import { openAlerts } from './alerts.js';

/** The app on the stores of the service, for the `pages` of `createApp`. */
export function openPages(config: Config, stores: Stores): (api: RequestHandler) => RequestHandler {
  const { redis, keys, sources, expenses, costSettings, now } = stores;
  const { alerts, send } = openAlerts(config, stores);
  return (api) =>
    createPages(
      {
        adminToken: config.adminToken,
        keys,
        sources,
        expenses,
        costSettings,
        now,
        alerts,
        send,
        allowPrivate: config.webhooksToPrivate,
        webhookTests: createLimiter(redis, 'webhook-tests', WEBHOOK_TESTS, 60),
        sessions: createSessionState(redis),
        tries: createLimiter(redis, 'sign-in', SIGN_IN_TRIES, 60),
      },
      api,
    );
}
