import type { RequestHandler } from 'express';
import type { AnswerTools } from '../http/route.js';
import type { Config } from '../config.js';
import type { Producer } from '../queue/producer.js';
import { isPartialSample, pushSampleShop } from '../sample/push-sample-shop.js';
import { SAMPLE_SHOP } from '../sample/sample-shop.js';
import { createLimiter } from '../redis/limiters.js';
import { createSessionState } from '../redis/sessions.js';
import { createVisits } from '../redis/visits.js';
import type { Stores } from './stores.js';
import { createLocks } from '../redis/locks.js';
import { createPasswords } from '../repositories/passwords.js';
import { createShareLinks } from '../repositories/share-links.js';
import { createPeople } from '../repositories/people.js';
import { biUsersOf } from './closed-bi-users.js';
import { createBiUsers } from '../warehouse/bi/users.js';
import { createAccessLog } from '../warehouse/queries/access-log.js';
import { createShareLinkStore } from '../warehouse/queries/share-links.js';
import { createRefundFinder } from '../warehouse/queries/found-refunds.js';
import { createMetricsReader } from '../warehouse/queries/metrics.js';
import { createPeopleStore } from '../warehouse/queries/people.js';
import { WEBHOOK_TESTS } from '../console/server/alerts.js';
import { openAlerts } from './alerts.js';
import { CODE_TRIES, createPages, NAMED_TRIES, SIGN_IN_TRIES } from '../console/server/routes.js';

/** The app on the stores of the service, for the `pages` of `createApp`; `passwords` are those of the service when absent. */
export function openPages(
  config: Config,
  stores: Stores,
  { producer, tools }: { producer: Pick<Producer, 'add'>; tools: AnswerTools },
  passwords = createPasswords(),
): (api: RequestHandler) => RequestHandler {
  const { redis, warehouse, takeStamps, keys, sources, expenses, costSettings, now } = stores;
  const sessions = createSessionState(redis);
  const visits = createVisits(redis);
  const people = createPeople({
    store: createPeopleStore(warehouse),
    passwords,
    withLock: createLocks(redis),
    sessions,
    visits,
    takeStamps,
    now,
  });
  const { alerts, send } = openAlerts(config, stores);
  const sample = { keys, sources, producer, shardOf: stores.shards.of, now };
  let underWay: Promise<unknown> | null = null;
  const pushOnce = (url: string): Promise<unknown> =>
    (underWay ??= pushSampleShop({ url, ...sample }).finally(() => (underWay = null)));
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
        metrics: createMetricsReader(warehouse),
        sampleShop: { id: SAMPLE_SHOP, push: pushOnce, isPartial: isPartialSample },
        findRefunds: createRefundFinder(warehouse),
        biUsersOf: biUsersOf(config, createBiUsers(warehouse, config.clickhouseDatabase)),
        sessionState: sessions,
        visits,
        people,
        links: createShareLinks({
          store: createShareLinkStore(warehouse),
          takeStamps,
          withLock: createLocks(redis),
          now,
        }),
        log: createAccessLog(warehouse, now),
        tries: createLimiter(redis, 'sign-in', SIGN_IN_TRIES, 60),
        codeTries: createLimiter(redis, 'codes', CODE_TRIES, 60),
        namedTries: createLimiter(redis, 'sign-in-name', NAMED_TRIES, 60),
      },
      tools,
      api,
    );
}
