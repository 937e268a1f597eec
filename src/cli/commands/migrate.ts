import type { Config } from '../../config.js';
import { readBiUsers } from '../../embedded/engines/bi-users.js';
import { clickhouseFolder } from '../../paths.js';
import { redisServers } from '../../composition/stores.js';
import { withLastingLock } from '../../redis/lasting-lock.js';
import { connectState } from '../../redis/redis.js';
import { profileOfUserStatement } from '../../warehouse/bi/access-sql.js';
import { adoptBiUsers, usersBySetting } from '../../warehouse/bi/users.js';
import { createWarehouse } from '../../warehouse/client.js';
import { requireOneShard } from '../../warehouse/migrations/cluster.js';
import { createDatabase, migrate, render } from '../../warehouse/migrations/migrations.js';
import { applyRetention } from '../../warehouse/migrations/retention.js';
import { applyViews } from '../../warehouse/migrations/views.js';

/** A statement may rewrite all that is stored. */
const STATEMENT_MS = 30 * 60_000;

/** A migration that another process has begun ends within this. */
const OTHERS_MS = 60 * 60_000;

/** {@link applyAll}, by one process at a time where the service's Redis is known. Throws a LockError. */
export async function runMigrate(config: Config): Promise<string[]> {
  if (config.redisUrl === undefined) return applyAll(config);
  const redis = connectState(redisServers(config).main);
  try {
    const name = `migrate:${config.clickhouseDatabase}`;
    return await withLastingLock(redis, { name, waitMs: OTHERS_MS }, (requireLock) => applyAll(config, requireLock));
  } finally {
    redis.disconnect();
  }
}

/** Brings the warehouse to the newest schema, views for BI tools and the retention of events included; harmless to repeat. Returns the names of what was applied. Throws a ClusterError. */
async function applyAll(config: Config, requireLock?: () => Promise<void>): Promise<string[]> {
  const url = config.clickhouseUrl ?? '';
  const options = {
    database: config.clickhouseDatabase,
    folder: clickhouseFolder('migrations'),
    ...(config.clickhouseCluster !== undefined && { cluster: config.clickhouseCluster }),
    ...(requireLock !== undefined && { requireLock }),
  };
  const admin = createWarehouse({ url, database: 'system' });
  const warehouse = createWarehouse({ url, database: config.clickhouseDatabase, waitMs: STATEMENT_MS });
  try {
    if (options.cluster !== undefined) await requireOneShard(admin, options.cluster);
    await createDatabase(admin, options);
    const applied = await migrate(warehouse, options);
    await requireLock?.();
    await applyRetention(warehouse, {
      ...options,
      eventDays: config.eventRetentionDays,
      historyDays: config.historyRetentionDays,
    });
    // All users are in the table before the row filters use it.
    const bySetting = await usersBySetting(warehouse);
    const kept = (await readBiUsers(config.dataDir)).map(({ name, shopId }) => ({ user: name, shop: shopId }));
    await adoptBiUsers(warehouse, config.clickhouseDatabase, [...bySetting, ...kept]);
    await requireLock?.();
    const views = await applyViews(warehouse, { ...options, folder: clickhouseFolder('views/bi') });
    for (const { user } of bySetting) {
      await warehouse.command(render(profileOfUserStatement(user), config.clickhouseCluster));
    }
    return [...applied, ...views.map((view) => `bi.${view}`)];
  } finally {
    await Promise.all([admin.close(), warehouse.close()]);
  }
}
