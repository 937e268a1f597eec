import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { openApi } from '../../src/deps.js';
import { createApp } from '../../src/http/app.js';
import { createCollector } from '../../src/http/collector.js';
import { createExpressServer } from '../../src/http/express-server.js';
import { createSharedCounts, limitTogether } from '../../src/http/window-limit.js';
import { collectEventValidator } from '../../src/schemas/collect.js';
import { openStores } from '../../src/stores.js';

/**
 * The service's own server with nothing behind the door: it reads the events, parses them with `JSON.parse`, checks them
 * with AJV, and answers 204.
 */
process.once('message', (env: NodeJS.ProcessEnv) => {
  const config = loadConfig(env);
  const stores = openStores(config);
  const collect = createCollector({
    ...stores,
    takeEvents: ({ items }) =>
      Promise.resolve({ faults: items.map((item) => collectEventValidator.check(item)), queued: Promise.resolve() }),
    requireCapacity: () => undefined,
    limitToken: limitTogether(config.limits.collectToken, 'token', createSharedCounts()),
    debugLimiter: { points: 0, consume: () => Promise.reject(new Error('nothing here asks for verdicts')) },
  });
  const tokenCounts = createSharedCounts();
  const pushOrders = () => Promise.reject(new Error('nothing here takes orders'));
  const deps = openApi(config, stores, { collect, pushOrders, tokenCounts });
  const app = createApp(
    { ...deps, collect: { ...deps.collect, collect } },
    { log: pino({ level: 'error' }), trustedProxies: 0 },
  );
  const server = createExpressServer(app);
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
