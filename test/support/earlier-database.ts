import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { createDatabase, migrate } from '../../src/warehouse/migrations/migrations.js';
import type { RollupDay } from '../../src/warehouse/queries/rollups.js';
import { addressOf } from './engines.js';
import { sharedEngines } from './shared-engines.js';

export const MIGRATIONS = 'clickhouse/migrations';

export interface EarlierDatabase {
  warehouse: Warehouse;
  /** Folder of the migrations that are done. */
  folder: string;
  /** Drops it. */
  drop: () => Promise<void>;
}

/** Computes days as the first releases did, in one step. */
export async function rebuildInOneStep(
  warehouse: Warehouse,
  days: readonly RollupDay[],
  computedAt: number,
): Promise<void> {
  const rows = days.map(({ shopId, day }) => ({ shop_id: shopId, day, computed_at: computedAt }));
  await warehouse.insert('rollup_requests', rows);
}

/** A database of its own with all migrations whose names stand before `before`, such as `013`. */
export async function earlierDatabase(database: string, before: string): Promise<EarlierDatabase> {
  const { clickhouse } = await sharedEngines();
  const url = addressOf(clickhouse);
  const admin = createWarehouse({ url, database: 'system' });
  await createDatabase(admin, { database, folder: MIGRATIONS });
  const warehouse = createWarehouse({ url, database });
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  for (const name of await readdir(MIGRATIONS)) {
    if (name < before) await copyFile(join(MIGRATIONS, name), join(folder, name));
  }
  await migrate(warehouse, { database, folder });
  return {
    warehouse,
    folder,
    drop: async () => {
      await admin.command(`DROP DATABASE ${database}`);
      await Promise.all([admin.close(), warehouse.close(), rm(folder, { recursive: true })]);
    },
  };
}
