import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { migrate } from '../../../src/warehouse/migrations/migrations.js';
import { earlierDatabase, MIGRATIONS, rebuildInOneStep } from '../../support/earlier-database.js';

const database = 'daily_products_test';
const folder = MIGRATIONS;
const DAYS = 500;

describe('the migration to products by day', () => {
  let warehouse: Warehouse;
  let earlier: string;
  let drop: () => Promise<void>;

  before(async () => {
    ({ warehouse, folder: earlier, drop } = await earlierDatabase(database, '013'));
  });
  after(() => drop());

  it('computes the days that are there already, in many blocks, at a version that any rebuild since then outdoes', async () => {
    const day = `toDate('2024-01-01') + number % ${DAYS}`;
    const numbers = `numbers(${2 * DAYS}) SETTINGS max_partitions_per_insert_block = 0`;
    await warehouse.command(
      `INSERT INTO order_days (shop_id, day, order_id, version, placed_day, orders, revenue)
       SELECT 'shop', ${day}, toString(number), 1, ${day}, 1, 21 FROM ${numbers}`,
    );
    await warehouse.command(
      `INSERT INTO orders (shop_id, placed_day, order_id, version, status, line_items.line_id, line_items.quantity,
         line_items.unit_price, line_items.sku, line_items.line_discount, line_items.unit_cost, line_items.product_id, line_items.title)
       SELECT 'shop', ${day}, toString(number), 1, 'paid', ['1', '2'], [1, 2], [5, 8.5], ['A', 'B'], [0, 1], [NULL, 4], ['', ''],
         ['', ''] FROM ${numbers}`,
    );
    const days = Array.from({ length: DAYS }, (_, i) => ({
      shopId: 'shop',
      day: new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
    }));
    await rebuildInOneStep(warehouse, days, 1000);
    // Alone: later ones compute the days again.
    await copyFile(join(folder, '013_daily_products.sql'), join(earlier, '013_daily_products.sql'));
    expect(await migrate(warehouse, { database, folder: earlier })).to.deep.equal(['013_daily_products.sql']);
    const sums = await warehouse.query(
      `SELECT sku, count() AS days, sum(revenue) AS revenue, sum(units * ifNull(cost, 0)) AS costs, sumIf(units, cost IS NULL) AS unpriced, min(computed_at) AS computed_at
       FROM daily_products FINAL
       ARRAY JOIN products.sku AS sku, products.revenue AS revenue, products.unit_cost AS cost, products.units_sold AS units
       GROUP BY sku ORDER BY sku`,
    );
    const common = { days: String(DAYS), computed_at: '1001' };
    expect(sums).to.deep.equal([
      { sku: 'A', ...common, revenue: String(10 * DAYS), costs: '0', unpriced: String(2 * DAYS) },
      { sku: 'B', ...common, revenue: String(32 * DAYS), costs: String(16 * DAYS), unpriced: '0' },
    ]);
  });
});
