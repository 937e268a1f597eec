import type { RequestHandler } from 'express';
import type { Config } from '../config.js';
import { createLimiter } from '../redis/limiters.js';
import { createSessionState } from '../redis/sessions.js';
import type { Stores } from './stores.js';
import { createPages, SIGN_IN_TRIES } from '../console/server/routes.js';

/** The app on the stores of the service, for the `pages` of `createApp`. */
export function openPages(config: Config, stores: Stores): (api: RequestHandler) => RequestHandler {
  const { redis, keys, sources, expenses, costSettings, now } = stores;
  return (api) =>
    createPages(
      {
        adminToken: config.adminToken,
        keys,
        sources,
        expenses,
        costSettings,
        now,
        sessions: createSessionState(redis),
        tries: createLimiter(redis, 'sign-in', SIGN_IN_TRIES, 60),
      },
      api,
    );
}
