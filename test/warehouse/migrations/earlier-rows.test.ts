import { expect } from 'chai';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWarehouse, type Warehouse } from '../../../src/warehouse/client.js';
import { createDatabase, migrate, render, statements } from '../../../src/warehouse/migrations/migrations.js';
import { createExpenseStore } from '../../../src/warehouse/queries/expenses.js';
import { createProductCostList } from '../../../src/warehouse/queries/product-costs.js';
import { sharedEngines } from '../../support/shared-engines.js';

const FOLDER = 'clickhouse/migrations';
const DATABASE = 'earlier_rows';

describe('rows that were stored before a migration', () => {
  let admin: Warehouse;
  let warehouse: Warehouse;
  let early: string;
  before(async () => {
    const { clickhouse } = await sharedEngines();
    const url = new URL(clickhouse.url);
    url.username = clickhouse.username;
    url.password = clickhouse.password;
    admin = createWarehouse({ url: url.href, database: 'system' });
    await createDatabase(admin, { database: DATABASE, folder: FOLDER });
    warehouse = createWarehouse({ url: url.href, database: DATABASE });
    early = await mkdtemp(join(tmpdir(), 'migrations-'));
    for (const name of await readdir(FOLDER)) if (name < '007') await copyFile(join(FOLDER, name), join(early, name));
    await migrate(warehouse, { database: DATABASE, folder: early });
    const cost = { shop_id: 's', unit_cost: '1', currency: 'EUR', version: 1, is_deleted: 0 };
    await warehouse.insert('product_costs', [
      { ...cost, sku: 'A', effective_from: '1970-01-01' },
      { ...cost, sku: 'A', effective_from: '2026-03-01' },
    ]);
    const expense = { shop_id: 's', external_id: 'e', amount: '1', started_on: '2026-01-01', version: 1 };
    await warehouse.insert('expenses', [
      { ...expense, expense_id: '1', ended_on: '2026-06-30' },
      { ...expense, expense_id: '2', ended_on: null },
    ]);
    await migrate(warehouse, { database: DATABASE, folder: FOLDER });
  });
  after(async () => {
    await admin.command(`DROP DATABASE ${DATABASE}`);
    await Promise.all([admin.close(), warehouse.close()]);
    await rm(early, { recursive: true });
  });

  const versions = async () =>
    (await createProductCostList(warehouse)({ shopId: 's', limit: 10 })).map(({ effectiveFrom }) => effectiveFrom);

  it('keep the beginning apart from the day 1970-01-01, which may be added', async () => {
    expect(await versions()).to.deep.equal([-1, 20_513]);
    await warehouse.insert('product_costs', [
      { shop_id: 's', sku: 'A', effective_from: '1970-01-01', is_epoch_day: 1, version: 2 },
    ]);
    expect(await versions()).to.deep.equal([-1, 0, 20_513]);
    await warehouse.command('OPTIMIZE TABLE product_costs FINAL');
    expect(await versions()).to.deep.equal([-1, 0, 20_513]);
  });

  it('keep the end of an expense, or that it has none', async () => {
    expect((await createExpenseStore(warehouse).list('s')).map(({ endedOn }) => endedOn)).to.deep.equal([20_634, null]);
  });

  it('stay the same when the migration is repeated after a crash', async () => {
    for (const name of ['007_product_cost_days.sql', '012_expense_ends.sql']) {
      for (const statement of statements(await readFile(join(FOLDER, name), 'utf8'))) {
        await warehouse.command(render(statement));
      }
    }
    expect(await versions()).to.deep.equal([-1, 0, 20_513]);
  });
});
