import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { createDatabase, migrate } from '../../src/warehouse/migrations/migrations.js';
import { addressOf } from './engines.js';
import { applyMaterializedViews } from '../../src/warehouse/migrations/materialized-views.js';
import { sharedEngines } from './shared-engines.js';

/** The files of the schema. */
export const SCHEMA = 'clickhouse/schema';
/** Folder of the views. */
export const VIEWS = 'clickhouse/views';

export interface OwnDatabase {
  warehouse: Warehouse;
  drop: () => Promise<void>;
}

/** A database of the shared engine for one test file, with all tables and no rows. */
export async function ownDatabase(database: string): Promise<OwnDatabase> {
  const { clickhouse } = await sharedEngines();
  const url = addressOf(clickhouse);
  const admin = createWarehouse({ url, database: 'system' });
  const options = { database, folder: SCHEMA };
  await createDatabase(admin, options);
  const warehouse = createWarehouse({ url, database });
  await migrate(warehouse, options);
  await applyMaterializedViews(warehouse, { folder: VIEWS });
  return {
    warehouse,
    drop: async () => {
      await admin.command(`DROP DATABASE ${database}`);
      await Promise.all([admin.close(), warehouse.close()]);
    },
  };
}
