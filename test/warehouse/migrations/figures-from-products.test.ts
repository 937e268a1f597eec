import { expect } from 'chai';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { migrate } from '../../../src/warehouse/migrations/migrations.js';
import { daysWithoutFigures, rebuildRollups } from '../../../src/warehouse/queries/rollups.js';
import { earlierDatabase, MIGRATIONS, rebuildInOneStep } from '../../support/earlier-database.js';

const database = 'figures_from_products_test';
const folder = MIGRATIONS;
const DAYS = 450;

describe('the migration to figures from products', () => {
  let warehouse: Warehouse;
  let drop: () => Promise<void>;
  const days = Array.from({ length: DAYS }, (_, i) => ({
    shopId: 'shop',
    day: new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
  }));

  before(async () => {
    ({ warehouse, drop } = await earlierDatabase(database, '016'));
  });
  after(() => drop());

  const figures = (): Promise<unknown[]> =>
    warehouse.query('SELECT * EXCEPT (computed_at) FROM daily_orders FINAL ORDER BY shop_id, day, part');
  const stamps = async (): Promise<unknown> =>
    (
      await warehouse.query(
        'SELECT toString(min(computed_at)) AS first, toString(max(computed_at)) AS last FROM daily_orders FINAL',
      )
    )[0];

  it('gives the days that are there already the same figures, at versions that any rebuild since then outdoes', async () => {
    await writeOrders();
    await warehouse.insert('product_costs', [
      { shop_id: 'shop', sku: 'A', effective_from: '2024-06-01', unit_cost: '3', version: 1 },
      { shop_id: 'shop', sku: 'B', effective_from: '1970-01-01', unit_cost: '0.333333', version: 1 },
      { shop_id: 'other', sku: 'C', effective_from: '1970-01-01', unit_cost: '9', version: 1 },
    ]);
    const gone = { shopId: 'shop', day: '2030-01-01' };
    await rebuildInOneStep(warehouse, [...days, gone], 1000);
    const before = await figures();
    expect(before).to.have.length(DAYS + 1);

    expect(await migrate(warehouse, { database, folder })).to.include('016_figures_from_products.sql');
    expect(await figures()).to.deep.equal(before);
    expect(await stamps()).to.deep.equal({ first: '1002', last: '1002' });
    expect(await daysWithoutFigures(warehouse)).to.deep.equal([]);
  });

  it('finds the days that were computed by half', async () => {
    const half = days.slice(0, 2);
    await rebuildInOneStep(warehouse, half, 2000);
    expect((await daysWithoutFigures(warehouse)).sort((a, b) => (a.day < b.day ? -1 : 1))).to.deep.equal(half);
    const before = await figures();
    let stamp = 3000;
    await rebuildRollups(warehouse, half, () => Promise.resolve(stamp++));
    expect(await daysWithoutFigures(warehouse)).to.deep.equal([]);
    expect(await figures()).to.deep.equal(before);
  });

  /** Three orders a day: what each of them lacks differs, one has a refund of the day before that went back on sale. */
  async function writeOrders(): Promise<void> {
    const numbers = `numbers(${3 * DAYS})`;
    const day = `toDate('2024-01-01') + intDiv(number, 3)`;
    const skus = `[['A', 'A', 'C'], ['B', 'D'], ['B', 'B']][1 + number % 3]`;
    const costs = `[[NULL, 5, NULL], [NULL, 1.5], [NULL, NULL]][1 + number % 3]`;
    const each = (value: string): string => `arrayMap(sku -> ${value}, skus)`;
    const back = 'number % 3 = 0';
    await warehouse.command(
      `INSERT INTO orders (shop_id, placed_day, order_id, version, status, line_items.line_id, line_items.quantity,
         line_items.unit_price, line_items.sku, line_items.line_discount, line_items.unit_cost, line_items.product_id, line_items.title)
       WITH ${skus} AS skus
       SELECT 'shop', ${day}, toString(number), 1, 'paid', arrayMap(i -> toString(i), arrayEnumerate(skus)), ${each('2')}, ${each('7')},
         skus, ${each('0')}, ${costs}, ${each("''")}, ${each("''")}
       FROM ${numbers}`,
    );
    await warehouse.command(
      `INSERT INTO order_days (shop_id, day, order_id, version, placed_day, orders, revenue, refunds, gateway_fees, has_gateway_fee,
         has_tax, payment_gateway, lines.sku, lines.quantity, lines.unit_cost, lines.restock,
         refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock, refund_lines.sku,
         refund_lines.unit_price, refund_lines.unit_cost)
       WITH ${skus} AS skus
       SELECT 'shop', ${day}, toString(number), 1, ${day}, 1, 10.5 + number, if(${back}, 1, 0), 0.25, number % 2, number % 2,
         ['card', 'paypal', ''][1 + number % 3],
         arrayConcat(skus, if(${back}, ['C'], [])), arrayConcat(${each('2')}, if(${back}, [1], [])),
         arrayConcat(${costs}, if(${back}, [NULL], [])), arrayConcat(${each('false')}, if(${back}, [true], [])),
         if(${back}, ['r'], []), if(${back}, ['3'], []), if(${back}, [1], []), if(${back}, [true], []), if(${back}, ['C'], []),
         if(${back}, [7], []), if(${back}, [NULL], [])
       FROM ${numbers} SETTINGS max_partitions_per_insert_block = 0`,
    );
  }
});
