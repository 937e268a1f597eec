import { pino } from 'pino';
import { loadConfig } from '../src/config.js';
import { openQueues, openStores } from '../src/composition/stores.js';
import { runWorkers } from './run-worker.js';

/** The worker process: drains the queues into the warehouse and keeps the rollups fresh. */
const config = loadConfig();
const log = pino({ level: config.logLevel, base: { service: 'worker' } });
const stores = openStores(config);
const workers = runWorkers(stores, {
  consume: openQueues(config),
  versionCacheOrders: config.versionCacheOrders,
  log,
});
log.info('working');

let stopping = false;
const stop = (): void => {
  if (stopping) return;
  stopping = true;
  void workers
    .stop()
    .then(() => stores.close())
    .finally(() => process.exit(0));
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
