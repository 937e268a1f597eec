import { Agent } from 'node:http';
import { join } from 'node:path';
import { EXPORT_TYPES } from '../../src/http/exports/format.js';
import { applyViews } from '../../src/warehouse/migrations/views.js';
import { fileReaderOf } from '../support/bi-proxy.js';
import type { BenchContext } from './context.js';
import { interleaved, milliseconds, p50, perSecond, type Ratio, type Section } from './harness.js';
import { rebuildAll } from './history.js';
import { read } from './http-get.js';
import { writeCatalog, writeStoredOrders } from './orders.js';

const CALLS = 9;
const HISTORY = { orders: 1_000_000, firstDay: '2025-01-01', days: 366, articles: 2_000 };
const RANGE = 'from=2025-01-01&to=2026-01-01';
const MONTH = 'from=2025-06-01&to=2025-06-30';

/** The first pages of a year of 10^6 orders, and the most milliseconds that each may take. */
const PAGES: readonly [page: string, goalMs: number][] = [
  ['orders', 300],
  ['orders?sku=SKU-7', 300],
  ['orders?gateway=PayPal', 300],
  ['orders?channel=email', 300],
  ['orders?missing_cost=1', 300],
  ['orders?sort=profit&order=asc', 500],
  ['orders?q=50', 500],
  ['metrics/explain?figure=net_profit', 300],
  ['metrics/explain?figure=net_profit&sort=amount', 300],
  ['products', 300],
];
/** First pages of a year that are held against those of 30 days. */
const COMPARED = [
  'orders',
  'orders?sort=profit',
  'metrics/explain?figure=net_profit',
  'metrics/explain?figure=net_profit&sort=amount',
];
const EXPORTED_PER_SECOND = 20_000;

/** What the pages of the app read first, and an export, where a year holds 10^6 orders. */
export const lists: Section<Pick<BenchContext, 'service' | 'warehouse' | 'takeStamps' | 'newShop' | 'startBiProxy'>> = {
  name: 'lists',
  async run({ service, newShop, startBiProxy, ...stores }) {
    await applyViews(stores.warehouse, {
      database: 'profit',
      folder: join(import.meta.dirname, '../../clickhouse/views/bi'),
    });
    const { shopId, key } = await newShop('lists');
    await writeCatalog(stores.warehouse, { ...HISTORY, shopId });
    await writeStoredOrders(stores.warehouse, { ...HISTORY, shopId });
    await rebuildAll(stores, shopId);
    const proxy = await startBiProxy();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const get = (page: string, accept?: string, range = RANGE) =>
      read(`${service.url}/v1/${page}${page.includes('?') ? '&' : '?'}${range}`, key, agent, accept);
    try {
      const ratios: Ratio[] = [];
      for (const [page, goalMs] of PAGES) {
        await get(page);
        const time = await p50(CALLS, () => get(page));
        ratios.push({
          what: `${page}: first page of a year of 10^6 orders, median`,
          ours: milliseconds(time),
          against: milliseconds(goalMs),
          ratio: time / goalMs,
          goal: { atMost: 1 },
        });
      }
      for (const page of COMPARED) {
        const { medians, spreads } = await interleaved(3, {
          ours: () => p50(CALLS, () => get(page)),
          against: () => p50(CALLS, () => get(page, undefined, MONTH)),
        });
        ratios.push({
          what: `${page}: first page of a year, against that of 30 days`,
          ours: milliseconds(medians.ours),
          against: milliseconds(medians.against),
          ratio: medians.ours / medians.against,
          spread: spreads.ours,
          goal: { atMost: 2 },
        });
      }
      const began = performance.now();
      await get('orders', 'text/csv');
      const rate = (HISTORY.orders / (performance.now() - began)) * 1_000;
      ratios.push({
        what: 'orders: a year of 10^6 orders as CSV, rows',
        ours: perSecond(rate),
        against: perSecond(EXPORTED_PER_SECOND),
        ratio: rate / EXPORTED_PER_SECOND,
        goal: { atLeast: 1 },
      });
      const view = await fileReaderOf(shopId, proxy, stores.warehouse);
      for (const [format, type] of Object.entries(EXPORT_TYPES)) {
        const { medians, spreads } = await interleaved(3, {
          ours: () => p50(1, () => get('orders', type)),
          against: () => p50(1, () => view('SELECT * FROM bi.order_profit', 'CSVWithNames')),
        });
        ratios.push({
          what: `orders: the same as ${format}, against the CSV of bi.order_profit`,
          ours: milliseconds(medians.ours),
          against: milliseconds(medians.against),
          ratio: medians.ours / medians.against,
          spread: spreads.ours,
          goal: { atMost: 3 },
        });
      }
      return ratios;
    } finally {
      await proxy.stop();
      agent.destroy();
    }
  },
};
