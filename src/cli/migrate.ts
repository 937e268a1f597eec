import type { Config } from '../config.js';
import { clickhouseFolder } from '../warehouse/clickhouse-folder.js';
import { createWarehouse } from '../warehouse/client.js';
import { createDatabase, migrate } from '../warehouse/migrations.js';
import { applyRetention } from '../warehouse/retention.js';
import { applyViews } from '../warehouse/views.js';

/** Brings the warehouse to the newest schema, views for BI tools and the retention of events included; harmless to repeat. Returns the names of what was applied. */
export async function runMigrate(config: Config): Promise<string[]> {
  const url = config.clickhouseUrl ?? '';
  const options = {
    database: config.clickhouseDatabase,
    folder: clickhouseFolder('migrations'),
    ...(config.clickhouseCluster !== undefined && { cluster: config.clickhouseCluster }),
  };
  const admin = createWarehouse({ url, database: 'system' });
  const warehouse = createWarehouse({ url, database: config.clickhouseDatabase });
  try {
    await createDatabase(admin, options);
    const applied = await migrate(warehouse, options);
    await applyRetention(warehouse, { ...options, days: config.eventRetentionDays });
    const views = await applyViews(warehouse, { ...options, folder: clickhouseFolder('views/bi') });
    return [...applied, ...views.map((view) => `bi.${view}`)];
  } finally {
    await Promise.all([admin.close(), warehouse.close()]);
  }
}
