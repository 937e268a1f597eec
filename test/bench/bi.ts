import { join } from 'node:path';
import type { Warehouse } from '../../src/warehouse/client.js';
import { literal } from '../../src/warehouse/sql.js';
import { applyViews } from '../../src/warehouse/migrations/views.js';
import { analystOf } from '../support/bi-proxy.js';
import type { BenchContext } from './context.js';
import { interleaved, milliseconds, p50, type Ratio, type Section } from './harness.js';

const ROUNDS = 7;
const CALLS = 5;
const ORDERS = 10_000_000;
const DAYS = 730;
const ORDERS_PER_INSERT = 500_000;
/** One order in so many is pushed again, so that the view has something to leave out. */
const RESENT = 50;

const COLUMNS = `shop_id, placed_day, order_id, placed_at, status, is_test, customer_id, total`;
const question = (table: string, counted: string): string =>
  `SELECT placed_day, count(), sum(total), uniqExact(customer_id) FROM ${table}
   WHERE ${counted} AND placed_day BETWEEN '2025-06-01' AND '2025-06-30' GROUP BY placed_day ORDER BY placed_day`;

/** A question over 30 days through `bi.orders`, as orders lie after a history was pushed, against a merged plain table. */
export const bi: Section<BenchContext> = {
  name: 'bi',
  async run({ warehouse, newShop, startBiProxy }): Promise<Ratio[]> {
    const folder = join(import.meta.dirname, '../../clickhouse/views/bi');
    await applyViews(warehouse, { database: 'profit', folder });
    const { shopId } = await newShop('bi');
    await writeOrders(warehouse, literal(shopId));
    await writePlain(warehouse, literal(shopId));
    const proxy = await startBiProxy();
    const ask = await analystOf(shopId, proxy, warehouse);
    const view = question('bi.orders', 'counted');
    const table = question('bench_plain', `shop_id = ${literal(shopId)} AND status = 'paid' AND NOT is_test`);
    const [seen, plain] = await Promise.all([ask(view), warehouse.query(table)]);
    if (seen.length !== 30 || JSON.stringify(seen) !== JSON.stringify(plain)) throw new Error('the answers differ');

    const { medians, spreads } = await interleaved(ROUNDS, {
      ours: () => p50(CALLS, () => ask(view)),
      against: () => p50(CALLS, () => warehouse.query(table)),
    });
    await proxy.stop();
    const { ours, against } = medians;
    const what = '30 days of 10^7 orders through bi.orders, against a merged plain table';
    return [
      {
        what,
        ours: milliseconds(ours),
        against: milliseconds(against),
        ratio: ours / against,
        goal: { atMost: 5 },
        spread: spreads.ours,
      },
    ];
  },
};

async function writeOrders(warehouse: Warehouse, shop: string): Promise<void> {
  const insert = (source: string, version: number): Promise<void> =>
    warehouse.command(`
      INSERT INTO orders (${COLUMNS}, version, updated_at, currency, line_items.line_id, line_items.quantity,
        line_items.unit_price, line_items.sku, line_items.line_discount, line_items.unit_cost, line_items.product_id,
        line_items.title)
      SELECT ${shop}, toDate('2024-01-01') + intDiv(number * ${DAYS}, ${ORDERS}) AS day, hex(cityHash64(number)), day,
             'paid', number % 500 = 0, toString(number % 400000), toDecimal128(1 + number % 200, 6),
             toUInt128(${version}), day, 'GBP', ['1'], [1], [1], [concat('SKU-', toString(number % 2000))], [0], [NULL],
             [''], ['']
      FROM ${source}`);
  for (let from = 0; from < ORDERS; from += ORDERS_PER_INSERT) {
    await insert(`numbers(${from}, ${ORDERS_PER_INSERT})`, 1);
    await insert(
      `(SELECT number * ${RESENT} AS number FROM numbers(${from / RESENT}, ${ORDERS_PER_INSERT / RESENT}))`,
      2,
    );
  }
}

async function writePlain(warehouse: Warehouse, shop: string): Promise<void> {
  await warehouse.command(
    `CREATE TABLE bench_plain ENGINE = MergeTree ORDER BY (shop_id, placed_day, order_id) AS
     SELECT ${COLUMNS} FROM orders LIMIT 0`,
  );
  // By months, so that no insert outlasts the client's time for a request.
  for (let day = 0; day < DAYS; day += 30) {
    await warehouse.command(
      `INSERT INTO bench_plain SELECT ${COLUMNS} FROM orders FINAL
       WHERE shop_id = ${shop} AND placed_day >= toDate('2024-01-01') + ${day} AND placed_day < toDate('2024-01-01') + ${day + 30}`,
    );
  }
  await warehouse.command('OPTIMIZE TABLE bench_plain FINAL');
}
