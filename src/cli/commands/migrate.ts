import type { Config } from '../../config.js';
import { clickhouseFolder } from '../../paths.js';
import { requireVersions } from '../../composition/store-versions.js';
import { redisServers } from '../../composition/stores.js';
import { withLastingLock, type LastingLockOptions } from '../../redis/lasting-lock.js';
import { untilLoaded } from '../../redis/loading.js';
import { connectState } from '../../redis/redis.js';
import { createWarehouse, type Warehouse } from '../../warehouse/client.js';
import { checkShards, claimRows } from '../../warehouse/cluster/check-shards.js';
import { requireSecret, tellSignedIn } from '../../warehouse/cluster/distribute-bi.js';
import { distribute, localDatabase } from '../../warehouse/cluster/distribute.js';
import { requireSingle } from '../../warehouse/cluster/single.js';
import { requireOneShard } from '../../warehouse/migrations/cluster.js';
import { createDatabase, migrate, type MigrationOptions } from '../../warehouse/migrations/migrations.js';
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
    ...(config.clickhouseCluster !== undefined && { cluster: config.clickhouseCluster }),
    ...(requireLock !== undefined && { requireLock }),
  };
  const admin = createWarehouse({ url, database: 'system' });
  const { clickhouseDatabase: database, clickhouseReplicas: replicas } = config;
  const warehouse = createWarehouse({ url, database, replicas, waitMs: STATEMENT_MS });
  try {
    await requireSingle(admin, config.clickhouseDatabase);
    if (options.cluster !== undefined) await requireOneShard(admin, options.cluster, config.clickhouseReplicas);
    const applied = await migrateTables(config, { admin, warehouse }, options);
    await requireLock?.();
    const views = await applyViews(warehouse, { ...options, folder: clickhouseFolder('views/bi') });
    return [...applied, ...views.map((view) => `bi.${view}`)];
  } finally {
    await Promise.all([admin.close(), warehouse.close()]);
  }
}

/** Tables and retention of one server. */
async function migrateTables(
  config: Config,
  { admin, warehouse }: { admin: Warehouse; warehouse: Warehouse },
  options: MigrationOptions,
): Promise<string[]> {
  await createDatabase(admin, options);
  const applied = await migrate(warehouse, options);
  await options.requireLock?.();
  const days = { eventDays: config.eventRetentionDays, historyDays: config.historyRetentionDays };
  await applyRetention(warehouse, { ...options, ...days });
  return applied;
}

export interface ShardsToMigrate {
  /** Allows rows that were stored for other shards, as during a move. */
  isMoving?: boolean;
  /** Makes the local tables alone, without the Distributed ones. */
  isLocal?: boolean;
}

/**
 * Migrates each server by its own address. This needs no ON CLUSTER, hence no Keeper, and a server that was away or is new catches up in
 * the same way.
 */
export async function migrateShards(
  config: Config,
  { cluster, nodes: urls }: NonNullable<Config['shards']>,
  requireLock?: () => Promise<void>,
  { isMoving = false, isLocal = false }: ShardsToMigrate = {},
): Promise<string[]> {
  const { clickhouseDatabase: database } = config;
  const local = localDatabase(database);
  const options = {
    database: local,
    folder: clickhouseFolder('schema'),
    ...(requireLock !== undefined && { requireLock }),
  };
  const nodes = urls.map((url) => ({
    name: new URL(url).host,
    admin: createWarehouse({ url, database: 'system' }),
    warehouse: createWarehouse({ url, database: local, waitMs: STATEMENT_MS }),
  }));
  try {
    const asked = nodes.map(({ name, admin }) => ({ name, warehouse: admin }));
    const { shards } = await checkShards(asked, { cluster, database, isMoving });
    const applied = new Set<string>();
    const bringUp = async ({ name, admin, warehouse }: (typeof nodes)[number]): Promise<void> => {
      for (const file of await migrateTables(config, { admin, warehouse }, options)) applied.add(file);
      await tellSignedIn(warehouse, local);
      if (isLocal) return;
      await claimRows(warehouse, { name, cluster });
      await createDatabase(admin, { ...options, database });
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
