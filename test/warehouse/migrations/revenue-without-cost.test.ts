import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { migrate } from '../../../src/warehouse/migrations/migrations.js';
import { earlierDatabase, MIGRATIONS, rebuildInOneStep } from '../../support/earlier-database.js';

const database = 'revenue_without_cost_test';
const folder = MIGRATIONS;
const DAYS = 2_500;

describe('the migration to revenue without cost', () => {
  let warehouse: Warehouse;
  let earlier: string;
  let drop: () => Promise<void>;

  before(async () => {
    ({ warehouse, folder: earlier, drop } = await earlierDatabase(database, '008'));
  });
  after(() => drop());

  it('computes the days that are there already, in many blocks, at a version that any rebuild since then outdoes', async () => {
    await warehouse.command(
      `INSERT INTO order_days (shop_id, day, order_id, version, placed_day, orders, revenue, lines.sku, lines.quantity,
         lines.unit_cost, lines.restock)
       SELECT 'shop', toDate('2018-01-01') + number % ${DAYS}, toString(number), 1, toDate('2018-01-01') + number % ${DAYS}, 1,
         toDecimal128('10.5', 6), ['A', 'B'], [1, 2], [if(number < ${DAYS}, NULL, 4), if(number < ${DAYS}, NULL, 2)], [false, false]
       FROM numbers(${2 * DAYS}) SETTINGS max_partitions_per_insert_block = 0`,
    );
    const days = Array.from({ length: DAYS }, (_, i) => ({
      shopId: 'shop',
      day: new Date(Date.UTC(2018, 0, 1 + i)).toISOString().slice(0, 10),
    }));
    await rebuildInOneStep(warehouse, days, 1000);
    // Alone: later ones compute the days again.
    await copyFile(join(folder, '008_revenue_without_cost.sql'), join(earlier, '008_revenue_without_cost.sql'));
    expect(await migrate(warehouse, { database, folder: earlier })).to.deep.equal(['008_revenue_without_cost.sql']);
    const [sums] = await warehouse.query(
      `SELECT count() AS days, sum(orders) AS orders, sum(orders_costed) AS costed, sum(cogs) AS cogs,
         sum(revenue_uncosted) AS uncosted, min(computed_at) AS computed_at FROM daily_orders FINAL`,
    );
    expect(sums).to.deep.equal({
      days: String(DAYS),
      orders: String(2 * DAYS),
      costed: String(DAYS),
      cogs: String(8 * DAYS),
      uncosted: String(10.5 * DAYS),
      computed_at: '1001',
    });
  });
});
