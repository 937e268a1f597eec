import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { createApp } from '../http/app.js';
import { createExpressServer } from '../http/server.js';
import { openApi } from './api.js';
import { openPages } from './console.js';
import { openStores, REQUEST_WAIT_MS } from './stores.js';

/** Opens the stores, listens, and on SIGTERM or SIGINT finishes what it has begun. */
export function serve(config: Config, log: Logger): void {
  const stores = openStores(config, { warehouseWaitMs: REQUEST_WAIT_MS });
  const deps = openApi(config, stores);
  const server = createExpressServer(
    createApp(deps, { log, trustedProxies: config.trustedProxies, pages: openPages(config, stores) }),
    { maxConnections: config.maxConnections },
  );

  server.on('error', (error) => {
    log.fatal({ err: error }, 'the API cannot listen');
    process.exit(1);
  });
  server.listen(config.port, config.host, () => log.info({ address: server.address() }, 'listening'));

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    server.close(() => {
      void deps
        .close()
        .then(() => stores.close())
        .finally(() => process.exit(0));
    });
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 2_000).unref();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
