import { expect } from 'chai';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { migrate } from '../../../src/warehouse/migrations/migrations.js';
import { daysWithoutFigures, rebuildRollups } from '../../../src/warehouse/queries/rollups.js';
import { earlierDatabase, MIGRATIONS } from '../../support/earlier-database.js';

const database = 'refunds_after_discounts_test';
const FULL = '2026-03-02';
const CUT = '2026-03-03';
const MOVED = '2026-03-04';

describe('the migration to refunds after discounts', () => {
  let warehouse: Warehouse;
  let drop: () => Promise<void>;

  before(async () => {
    ({ warehouse, drop } = await earlierDatabase(database, '022'));
  });
  after(() => drop());

  const refunds = async (): Promise<Record<string, unknown>> => {
    const rows = await warehouse.query<{ day: string; refunds: string }>(
      `SELECT toString(day) AS day, toString(arraySum(products.refunds)) AS refunds FROM daily_products FINAL
       WHERE notEmpty(products.sku) ORDER BY day`,
    );
    return Object.fromEntries(rows.map((row) => [row.day, row.refunds]));
  };
  const figures = (): Promise<unknown[]> =>
    warehouse.query('SELECT * EXCEPT (computed_at) FROM daily_orders FINAL ORDER BY shop_id, day, part');
  const stamps = async (): Promise<unknown[]> =>
    warehouse.query('SELECT toString(day) AS day, toString(computed_at) AS at FROM daily_orders FINAL ORDER BY day');

  it('computes the days of discounted lines that came back, and leaves all others as they are', async () => {
    const placed = '2026-03-01';
    const orders = (id: string, discount: string): object => ({
      shop_id: 'shop',
      placed_day: placed,
      order_id: id,
      version: '7',
      status: 'paid',
      'line_items.line_id': ['x', 'y'],
      'line_items.quantity': ['1', '3'],
      'line_items.unit_price': ['5', '10'],
      'line_items.sku': ['A', 'B'],
      'line_items.line_discount': ['0', discount],
      'line_items.title': ['', ''],
      'line_items.unit_cost': [null, null],
      'line_items.product_id': ['', ''],
    });
    const back = (id: string, day: string, more: object = {}): object => ({
      shop_id: 'shop',
      placed_day: placed,
      day,
      order_id: id,
      version: '7',

      'refund_lines.refund_id': ['r', 'r'],
      'refund_lines.line_id': ['y', 'x'],
      'refund_lines.quantity': ['1', '1'],
      'refund_lines.restock': [false, false],
      'refund_lines.sku': ['B', 'A'],
      'refund_lines.unit_price': ['10', '5'],
      'refund_lines.unit_cost': [null, null],
      ...more,
    });
    await warehouse.insert('orders', [orders('full', '0'), orders('cut', '4'), orders('moved', '4')]);
    const none = { 'refund_lines.refund_id': [], 'refund_lines.line_id': [], 'refund_lines.quantity': [] };
    const nothing = { ...none, 'refund_lines.restock': [], 'refund_lines.sku': [], 'refund_lines.unit_price': [] };
    await warehouse.insert('order_days', [
      back('full', FULL),
      back('cut', CUT),
      // An older version came back on that day; the one that stands did not.

      back('moved', MOVED, { version: '6' }),
      back('moved', MOVED, { is_deleted: 1, ...nothing, 'refund_lines.unit_cost': [] }),
    ]);
    let stamp = 1000;
    const days = [placed, FULL, CUT, MOVED].map((day) => ({ shopId: 'shop', day }));
    await rebuildRollups(warehouse, days, () => Promise.resolve(stamp++));
    const sales = { [placed]: '0' };
    expect(await refunds()).to.deep.equal({ ...sales, [FULL]: '15', [CUT]: '15' });
    const before = await figures();

    await migrate(warehouse, { database, folder: MIGRATIONS });
    expect(await refunds()).to.deep.equal({ ...sales, [FULL]: '15', [CUT]: '13.666666666667' });
    expect(await figures()).to.deep.equal(before);
    expect(await daysWithoutFigures(warehouse)).to.deep.equal([]);
    expect(await stamps()).to.deep.equal([
      ...[placed, FULL].map((day) => ({ day, at: '1001' })),

      { day: CUT, at: '1003' },
      { day: MOVED, at: '1001' },
    ]);
    await warehouse.command('OPTIMIZE TABLE order_days FINAL');
    await rebuildRollups(warehouse, days, () => Promise.resolve(2000 + stamp++));
    expect(await refunds()).to.deep.equal({ ...sales, [FULL]: '15', [CUT]: '13.666666666667' });
  });
});
