import { join } from 'node:path';
import { applyViews } from '../../src/warehouse/migrations/views.js';
import { literal } from '../../src/warehouse/sql.js';
import { analystOf } from '../support/bi-proxy.js';
import type { BenchContext } from './context.js';
import { interleaved, milliseconds, p50, type Ratio, type Section } from './harness.js';
import { writeHistory } from './history.js';

const ROUNDS = 7;
const CALLS = 3;
const ORDERS = 1_000_000;
const RANGE = "BETWEEN '2025-01-01' AND '2026-01-01'";

interface Question {
  view: string;
  /** For the analyst. */
  asked: string;
  /** The same of the table behind the view; `SHOP` stands for the condition on the shop. */
  table: string;
}

const QUESTIONS: readonly Question[] = [
  {
    view: 'bi.orders',
    asked: `SELECT placed_day AS day, count() AS orders, sum(total) AS revenue FROM bi.orders
      WHERE counted AND placed_day ${RANGE} GROUP BY day ORDER BY day`,
    table: `SELECT placed_day AS day, count() AS orders, sum(total) AS revenue FROM orders FINAL
      WHERE SHOP AND status = 'paid' AND NOT is_test AND placed_day ${RANGE} GROUP BY day ORDER BY day`,
  },
  {
    view: 'bi.order_line_items',
    asked: `SELECT sku, sum(quantity) AS units, sum(amount) AS revenue FROM bi.order_line_items
      WHERE counted AND placed_day ${RANGE} GROUP BY sku ORDER BY revenue DESC, sku LIMIT 20`,
    table: `SELECT sku, sum(quantity) AS units,
        sum(toDecimal256(quantity, 6) * toDecimal256(price, 6) - toDecimal256(discount, 12)) AS revenue
      FROM orders FINAL
      ARRAY JOIN line_items.sku AS sku, line_items.quantity AS quantity, line_items.unit_price AS price,
        line_items.line_discount AS discount
      WHERE SHOP AND status = 'paid' AND NOT is_test AND placed_day ${RANGE}
      GROUP BY sku ORDER BY revenue DESC, sku LIMIT 20`,
  },
  {
    view: 'bi.daily_products',
    asked: `SELECT sku, sum(units_sold) AS units, sum(revenue) AS revenue FROM bi.daily_products
      WHERE day ${RANGE} GROUP BY sku ORDER BY revenue DESC, sku LIMIT 20`,
    table: `SELECT sku, sum(sold) AS units, sum(amount) AS revenue FROM daily_products FINAL
      ARRAY JOIN products.sku AS sku, products.units_sold AS sold, products.revenue AS amount
      WHERE SHOP AND day ${RANGE} GROUP BY sku ORDER BY revenue DESC, sku LIMIT 20`,
  },
];

/** Questions over 366 days through the views, as an analyst asks them, against the same of the tables behind them with `FINAL`. */
export const biYear: Section<BenchContext> = {
  name: 'bi-year',
  async run(context): Promise<Ratio[]> {
    const { warehouse, newShop, startBiProxy } = context;
    const folder = join(import.meta.dirname, '../../clickhouse/views/bi');
    await applyViews(warehouse, { database: 'profit', folder });
    const { shopId } = await newShop('bi-year');
    await writeHistory(context, shopId, ORDERS);
    const proxy = await startBiProxy();
    try {
      const ask = await analystOf(shopId, proxy, warehouse);
      const ratios: Ratio[] = [];
      for (const { view, asked, table } of QUESTIONS) {
        const own = table.replace('SHOP', `shop_id = ${literal(shopId)}`);
        const [seen, read] = await Promise.all([ask(asked), warehouse.query(own)]);
        if (seen.length === 0 || JSON.stringify(seen) !== JSON.stringify(read)) throw new Error('the answers differ');
        const { medians, spreads } = await interleaved(ROUNDS, {
          ours: () => p50(CALLS, () => ask(asked)),
          against: () => p50(CALLS, () => warehouse.query(own)),
        });
        ratios.push({
          what: `${view} over 366 days at 10^6 orders, against its table with FINAL`,
          ours: milliseconds(medians.ours),
          against: milliseconds(medians.against),
          ratio: medians.ours / medians.against,
          spread: spreads.ours,
          goal: { atMost: 2 },
        });
      }
      return ratios;
    } finally {
      await proxy.stop();
    }
  },
};
