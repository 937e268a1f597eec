import { pino } from 'pino';
import { openPages } from './app/wiring.js';
import { loadConfig } from './config.js';
import { openApi } from './deps.js';
import { createApp } from './http/app.js';
import { createExpressServer } from './http/express-server.js';
import { startIntakePool } from './intake-threads/pool.js';
import { openStores } from './stores.js';

/** The API process: opens the stores, listens, and on SIGTERM or SIGINT finishes what it has begun. */
const config = loadConfig();
const log = pino({ level: config.logLevel, base: { service: 'api' } });
const stores = openStores(config);
const intake = startIntakePool(config, {
  onCrash: (error) => log.error({ err: error }, 'an intake thread ended; the next request starts another'),
});
const deps = openApi(config, stores, intake);
const server = createExpressServer(
  createApp(deps, { log, trustedProxies: config.trustedProxies, pages: openPages(config, stores) }),
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
    void Promise.all([deps.close(), intake.close()])
      .then(() => stores.close())
      .finally(() => process.exit(0));
  });
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), 2_000).unref();
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
