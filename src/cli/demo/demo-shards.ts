import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { openStores } from '../../composition/stores.js';
import { loadConfig } from '../../config.js';
import type { EngineLog, Running } from '../../embedded/engines/engine.js';
import { freePort } from '../../embedded/engines/free-port.js';
import { startRedis } from '../../embedded/engines/redis.js';
import { startShards } from '../../embedded/engines/shards.js';
import { startNodeService } from '../../embedded/supervisor/node-service.js';
import { untilServing } from '../../embedded/supervisor/ready.js';
import type { ServiceLog } from '../../embedded/supervisor/service-log.js';
import { builtCommands, migrate } from '../../embedded/supervisor/services.js';
import { createKey } from '../commands/keys.js';
import { runDemo, type DemoSummary } from './demo.js';
import { defineQuery, texts } from '../../warehouse/query.js';

const ORDER_COUNT = defineQuery('count of orders', texts('orders'));

export interface ShardsDemo {
  shards: number;
  workers: number;
  stdout: Writable;
  signal: AbortSignal;
}

const SHOP = 'online-retail';
const STOP_MS = 5_000;
/** If a process ends, the end of its output is in the error. */
const SILENT: ServiceLog = { write: () => undefined, close: () => undefined };
const SILENT_ENGINES: EngineLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * The demo on shards of its own: starts engines, an API and workers in a folder that is removed at the end, imports the real month,
 * compares it with the independent figures and says how many orders are on each shard: all of a shop are on one.
 * Throws when one of them does not start.
 */
export async function runShardsDemo({ shards: count, workers, ...output }: ShardsDemo): Promise<DemoSummary> {
  const { stdout, signal } = output;
  const folder = await mkdtemp(join(tmpdir(), 'profit-shards-'));
  const running: { stop(): Promise<void> }[] = [];
  const keep = <One extends { stop(): Promise<void> }>(one: One): One => {
    running.unshift(one);
    return one;
  };
  try {
    stdout.write(`Starting ${count} shards of ClickHouse, ${workers} workers and an API …\n`);
    const log = SILENT_ENGINES;
    const shards = keep(await startShards({ dataDir: join(folder, 'clickhouse'), log, count }));
    const redis = keep(await startRedis({ dataDir: join(folder, 'redis'), log }));
    const port = await freePort();
    const env = {
      ...shards.env,
      REDIS_URL: redis.url,
      DATA_DIR: folder,
      PORT: String(port),
      API_PROCESSES: '1',
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      RATE_LIMIT_READS: '1000',
      RATE_LIMIT_WRITES: '1000',
    };
    const commands = builtCommands();
    await migrate(commands.migrate, env, SILENT, signal);

    let ended: string | undefined;
    const service = (command: readonly string[]): Running => {
      const onExit = (_: unknown, words: string): void => void (ended ??= words);
      return keep(startNodeService({ command, env, log: SILENT, stopMs: STOP_MS, onExit }));
    };
    service(commands.api);
    for (let i = 0; i < workers; i++) service(commands.worker);
    const url = `http://127.0.0.1:${port}`;
    await untilServing({ name: 'the service', url: `${url}/readyz` }, signal, () => ended);

    const stores = openStores(loadConfig(env));
    try {
      const key = await createKey(stores, { shop: SHOP, kind: 'secret' });
      const summary = await runDemo({ ...output, url, key });
      for (const [index, shard] of stores.shards.each.entries()) {
        const [held] = await shard.ask(ORDER_COUNT('SELECT count() AS orders FROM orders FINAL'));
        stdout.write(`Shard ${index + 1} has ${held?.orders} orders.\n`);
      }
      stdout.write('All of it is stopped and removed now.\n');
      return summary;
    } finally {
      await stores.close();
    }
  } finally {
    // Processes stop before the stores that they write to.
    for (const one of running) await one.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
