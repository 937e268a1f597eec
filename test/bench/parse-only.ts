import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { composeApi } from '../../src/composition/api.js';
import { createApp } from '../../src/http/app.js';
import { createCollect } from '../../src/http/routes/collect-batch.js';
import { createExpressServer } from '../../src/http/server.js';
import { createWindowLimit } from '../../src/http/middleware/window-limit.js';
import { createLimitLeases } from '../../src/redis/limit-leases.js';
import { collectEventValidator } from '../../src/schemas/collect.js';
import { openStores } from '../../src/composition/stores.js';

/**
 * The service's own server with nothing behind the door: it reads the events, parses them with `JSON.parse`, checks them
 * with AJV, and answers 204.
 */
process.once('message', (env: NodeJS.ProcessEnv) => {
  const config = loadConfig(env);
  const stores = openStores(config);
  const collect = createCollect({
    ...stores,
    takeEvents: ({ items }) =>
      Promise.resolve({
        ids: [],
        faults: Array.from(items, ({ value }) => collectEventValidator.check(value)),
        queued: Promise.resolve(),
      }),
    requireCapacity: () => undefined,
    limitToken: createWindowLimit({
      limit: config.limits.collectToken,
      subject: 'token',
      lease: createLimitLeases(stores.redis, 'token'),
    }),
    limitDebug: () => {
      throw new Error('nothing here asks for verdicts');
    },
  });
  const deps = composeApi(config, stores);
  const collectFor: typeof deps.resources.collect = (tell) => ({ ...deps.resources.collect(tell), collect });
  const resources = { ...deps.resources, collect: collectFor };
  const app = createApp({ ...deps, resources }, { log: pino({ level: 'error' }), trustedProxies: 0 });
  const server = createExpressServer(app);
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
