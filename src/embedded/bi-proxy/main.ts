import { join } from 'node:path';
import { loadConfig } from '../../config.js';
import { createLogger } from '../../telemetry/logger.js';
import { readProxyKey } from '../engines/proxy-key.js';
import { readRuntime } from '../supervisor/runtime.js';
import { closeRunaways } from './runaways.js';
import { createBiProxy } from './server.js';

const WATCH_MS = 5_000;

/** The process between BI tools and the embedded engine: listens on BI_PORT of this machine until SIGTERM. */
const config = loadConfig();
const log = createLogger({ service: 'bi', level: config.logLevel });
const { origin, username, password } = new URL(config.clickhouseUrl ?? '');
const engine = {
  url: origin,
  username: decodeURIComponent(username),
  password: decodeURIComponent(password),
  proxyKey: () => readProxyKey(join(config.dataDir, 'clickhouse')),
};
const server = createBiProxy({ engine, dataDir: config.dataDir, log });

const restart = (): void => {
  const runtime = readRuntime(config.dataDir);
  if (runtime !== undefined) process.kill(runtime.pid, 'SIGUSR2');
};
const watch = async (): Promise<void> => {
  // An engine that starts gives no answer.
  await closeRunaways({ engine, dataDir: config.dataDir, log, restart }).catch(() => undefined);
  setTimeout(() => void watch(), WATCH_MS).unref();
};
void watch();

server.on('error', (error) => {
  log.fatal({ err: error }, 'the port for BI tools cannot be opened');
  process.exit(1);
});
server.listen(config.biPort, '127.0.0.1', () => log.info({ address: server.address() }, 'listening'));

const stop = (): void => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), 1_500).unref();
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
