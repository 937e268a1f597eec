import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { openApi } from '../../src/composition/api.js';
import { createApp } from '../../src/http/app.js';
import { createCollect } from '../../src/http/routes/collect-batch.js';
import { createExpressServer } from '../../src/http/server.js';
import { limitBySecond } from '../../src/http/middleware/window-limit.js';
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
    limitToken: limitBySecond(config.limits.collectToken, 'token', createLimitLeases(stores.redis, 'token')),
    debugLimiter: { points: 0, consume: () => Promise.reject(new Error('nothing here asks for verdicts')) },
  });
  const deps = openApi(config, stores);
  const resources = { ...deps.resources, collect: { ...deps.resources.collect, collect } };
  const app = createApp({ ...deps, resources }, { log: pino({ level: 'error' }), trustedProxies: 0 });
  const server = createExpressServer(app);
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
