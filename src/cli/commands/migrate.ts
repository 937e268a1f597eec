import type { Config } from '../../config.js';
import { clickhouseFolder } from '../../paths.js';
import { requireVersions } from '../../composition/store-versions.js';
import { redisServers } from '../../composition/stores.js';
import { withLastingLock, type LastingLockOptions } from '../../redis/lasting-lock.js';
import { untilLoaded } from '../../redis/loading.js';
import { connectState } from '../../redis/redis.js';
import { createWarehouse, type Warehouse } from '../../warehouse/client.js';
import {
  markOf,
  readServer,
  requireShards,
  requireSingle,
  SHARD_MARK,
  shardOfNode,
} from '../../warehouse/cluster/check-shards.js';
import { requireSecret } from '../../warehouse/cluster/distribute-bi.js';
import { distribute, localDatabase } from '../../warehouse/cluster/distribute.js';
import { createDatabase, migrate, noteChecksum, type MigrationOptions } from '../../warehouse/migrations/migrations.js';
import { applyMaterializedViews } from '../../warehouse/migrations/materialized-views.js';
import { applyRetention } from '../../warehouse/migrations/retention.js';
import { applyViews } from '../../warehouse/migrations/views.js';

/** A statement may rewrite everything that is stored. */
const STATEMENT_MS = 30 * 60_000;

/** Wait for a migration of another process. */
const OTHERS_MS = 60 * 60_000;

const tell = (text: string): void => void process.stderr.write(`${text}\n`);

/** Held by every command that changes the schema. */
export const migrateLock = ({ clickhouseDatabase }: Config): LastingLockOptions => ({
  name: `migrate:${clickhouseDatabase}`,
  waitMs: OTHERS_MS,
});

/** {@link applyAll}, by one process at a time where the service's Redis is known. Throws a LockError, and a VersionError. */
export async function runMigrate(config: Config, say = tell): Promise<string[]> {
  if (config.redisUrl === undefined) {
    await requireVersions(config);
    return applyAll(config);
  }
  const { main } = redisServers(config);
  await untilLoaded(main, say);
  await requireVersions(config);
  const redis = connectState(main);
  try {
    return await withLastingLock(redis, migrateLock(config), (requireLock) => applyAll(config, requireLock));
  } finally {
    redis.disconnect();
  }
}

/**
 * Brings the warehouse to the newest schema, with the views for BI tools and the retention of events. Harmless to repeat. Returns the
 * names of what was applied. Throws a ClusterError.
 */
export async function applyAll(config: Config, requireLock?: () => Promise<void>): Promise<string[]> {
  if (config.shards !== undefined) return migrateShards(config, config.shards, requireLock);
  const url = config.clickhouseUrl ?? '';
  const options = {
    database: config.clickhouseDatabase,
    folder: clickhouseFolder('schema'),
    ...(requireLock !== undefined && { requireLock }),
  };
  const admin = createWarehouse({ url, database: 'system' });
  const { clickhouseDatabase: database } = config;
  const warehouse = createWarehouse({ url, database, waitMs: STATEMENT_MS });
  try {
    await requireSingle(admin, config.clickhouseDatabase);
    const applied = await migrateTables(config, { admin, warehouse }, options);
    await requireLock?.();
    const isEmbedded = config.embeddedEngines.includes('clickhouse');
    const views = await applyViews(warehouse, { ...options, folder: clickhouseFolder('views/bi'), isEmbedded });
    return [...applied, ...views.map((view) => `bi.${view}`)];
  } finally {
    await Promise.all([admin.close(), warehouse.close()]);
  }
}

/** Tables, materialized views and retention of one server. */
async function migrateTables(
  config: Config,
  { admin, warehouse }: { admin: Warehouse; warehouse: Warehouse },
  options: MigrationOptions,
): Promise<string[]> {
  await createDatabase(admin, options);
  const applied = await migrate(warehouse, options);
  const views = await applyMaterializedViews(warehouse, { ...options, folder: clickhouseFolder('views') });
  await options.requireLock?.();
  const days = { eventDays: config.eventRetentionDays, historyDays: config.historyRetentionDays };
  await applyRetention(warehouse, { ...options, ...days });
  return [...applied, ...views];
}

/**
 * Migrates each server by its own address: so a server that was away or is new catches up in the same way. Throws a {@link ClusterError}
 * before anything is made if the servers are not the shards of the configuration.
 */
async function migrateShards(
  config: Config,
  layout: NonNullable<Config['shards']>,
  requireLock?: () => Promise<void>,
): Promise<string[]> {
  const { clickhouseDatabase: database } = config;
  const { cluster, nodes: urls, replicas } = layout;
  const shards = urls.length / replicas;
  const local = localDatabase(database);
  const isReplicated = replicas > 1;
  const options = {
    database: local,
    folder: clickhouseFolder('schema'),
    isReplicated,
    ...(requireLock !== undefined && { requireLock }),
  };
  const nodes = urls.map((url, index) => ({
    name: new URL(url).host,
    shard: shardOfNode(index, layout),
    admin: createWarehouse({ url, database: 'system' }),
    warehouse: createWarehouse({ url, database: local, isReplicated, waitMs: STATEMENT_MS }),
  }));
  try {
    const states = await Promise.all(nodes.map(({ name, admin }) => readServer(name, admin, cluster, database)));
    requireShards(states, layout);
    const applied = new Set<string>();
    const bringUp = async ({ shard, admin, warehouse }: (typeof nodes)[number], index: number): Promise<void> => {
      for (const file of await migrateTables(config, { admin, warehouse }, options)) applied.add(file);
      if (states[index]?.mark === '') await noteChecksum(warehouse, SHARD_MARK, markOf(shard, shards));
      await createDatabase(admin, { database });
      await requireLock?.();
      await distribute(warehouse, { database, cluster, shards });
      await requireLock?.();
      const views = await applyViews(warehouse, { ...options, folder: clickhouseFolder('views/bi'), shards: cluster });
      for (const view of views) applied.add(`bi.${view}`);
    };
    await Promise.all(nodes.map(bringUp));
    await Promise.all(nodes.map(({ name, warehouse }) => requireSecret(warehouse, { name, local, cluster })));
    return [...applied].sort();
  } finally {
    await Promise.all(nodes.flatMap(({ admin, warehouse }) => [admin.close(), warehouse.close()]));
  }
}
