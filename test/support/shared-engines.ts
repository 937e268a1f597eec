import { rmSync } from 'node:fs';
import { clickHouseQuery } from '../../src/embedded/engines/clickhouse-query.js';
import { askRedis } from '../../src/redis/one-connection.js';
import { biUser } from '../../src/embedded/engines/bi-users.js';
import { BI_POOL, startBiProxy, type BiProxy } from './bi-proxy.js';
import { startEngines, startShardedEngines, type Engines } from './engines.js';

/** With TEST_SHARDS=2 the tests run on a ClickHouse of so many shards. */
const SHARDS = Number(process.env.TEST_SHARDS ?? 1);

let started: Promise<Engines> | undefined;
let running: Engines | undefined;
let proxy: Promise<BiProxy> | undefined;

/** One real ClickHouse and one real Redis for all tests of a process, started by the first that asks. */
export function sharedEngines(): Promise<Engines> {
  const users = BI_POOL.map(({ account }) => biUser(account));
  const start = () => (SHARDS > 1 ? startShardedEngines(SHARDS, users) : startEngines(users));
  return (started ??= start().then((engines) => (running = engines)));
}

/** The way of BI tools to the shared engine. */
export function sharedBiProxy(): Promise<BiProxy> {
  return (proxy ??= sharedEngines().then((engines) => startBiProxy(engines, BI_POOL)));
}

const EMPTY_MS = 60_000;
/** Tables of the service with rows. What is known of the schema itself stays. */
const FILLED = `SELECT name FROM system.tables
  WHERE database = 'profit' AND engine LIKE '%MergeTree' AND total_rows > 0 AND name NOT LIKE 'schema%' FORMAT TSV`;

/**
 * Forgets what a file has left in the stores: jobs (no worker runs any more), rebuild queues, limits, people, the log. Which file comes
 * next in this process hangs on how long others take, and it is to find the same wherever it comes.
 */
export async function emptyEngines(): Promise<void> {
  if (running === undefined) return;
  const { redis, clickhouse, shards } = running;
  await askRedis(redis, (client) => client.flushall(), EMPTY_MS);
  for (const server of shards?.shards ?? [clickhouse]) {
    const names = (await clickHouseQuery(server, FILLED, EMPTY_MS)).split('\n').filter(Boolean);
    await Promise.all(names.map((name) => clickHouseQuery(server, `TRUNCATE TABLE profit.${name}`, EMPTY_MS)));
  }
}

export async function stopEngines(): Promise<void> {
  await (await proxy)?.stop();
  const engines = await started;
  started = running = proxy = undefined;
  await engines?.stop();
}

// A process of a parallel run learns of the end of the run only when it has to exit.
process.once('exit', () => {
  if (running === undefined) return;
  for (const { pid } of [running.clickhouse, running.redis, ...(running.shards?.shards ?? [])]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
  rmSync(running.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});
