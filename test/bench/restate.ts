import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from './context.js';
import { call, timeToShow } from './fresh.js';
import { median, type Ratio, type Section } from './harness.js';
import { rebuildAll } from './history.js';
import { writeStoredOrders } from './orders.js';

const ORDERS = 10_000_000;
const FIRST_DAY = '2022-01-01';
const DAYS = 1_096;
const ARTICLES = 20_000;
const PUSHED = 1_000;
const ALLOWED_SECONDS = 10;
const ALLOWED_DELAY_MS = 2_000;
/** Orders that come in before the push, for comparison. */
const ALONE = 7;
const PROBE_EVERY_MS = 400;

/**
 * A catalog push of 1,000 articles to a shop with 10^7 orders over three years: how long until every day is restated, and
 * how much longer than before an order that comes in meanwhile takes to show.
 */
export const restate: Section<BenchContext> = {
  name: 'restate',
  async run(context) {
    const { service, warehouse, newShop } = context;
    const { shopId, key } = await newShop('restate');
    await writeStoredOrders(warehouse, { shopId, orders: ORDERS, firstDay: FIRST_DAY, days: DAYS, articles: ARTICLES });
    await rebuildAll(context, shopId);

    const worker = service.startWorker();
    try {
      const alone: number[] = [];
      for (let i = 0; i < ALONE; i++) alone.push(await timeToShow(service.url, key, `alone-${i}`));
      const cogs = await expectedCogs(context, shopId);
      const startedAt = performance.now();
      const costs = Array.from({ length: PUSHED }, (_, i) => ({ sku: `SKU-${i}`, unit_cost: '3' }));
      await call('PUT', `${service.url}/v1/products/costs`, key, { costs });
      const [seconds, delays] = await Promise.all([
        restated(context, shopId, cogs).then(() => (performance.now() - startedAt) / 1000),
        probe(context, key, shopId, cogs),
      ]);
      return [
        allowed(`restating ${DAYS} days of 10^7 orders`, seconds, ALLOWED_SECONDS, 's'),
        allowed(
          'longest delay of a fresh order meanwhile',
          Math.max(...delays) - median(alone),
          ALLOWED_DELAY_MS,
          'ms',
        ),
      ];
    } finally {
      await worker.stop();
    }
  },
};

function allowed(what: string, ours: number, against: number, unit: string): Ratio {
  const text = (figure: number): string => `${figure.toFixed(unit === 's' ? 1 : 0)} ${unit}`;
  return { what, ours: text(ours), against: text(against), ratio: ours / against, goal: { atMost: 1 } };
}

/** What the rollups of the history have to come to. */
async function expectedCogs({ warehouse }: BenchContext, shopId: string): Promise<string> {
  const [row] = await warehouse.query<{ cogs: string }>(
    `SELECT toString(toDecimal256(3, 12) * sum(quantity)) AS cogs FROM order_days
     ARRAY JOIN lines.sku AS sku, lines.quantity AS quantity
     WHERE shop_id = {shop:String} AND toUInt32OrZero(substring(sku, 5)) < ${PUSHED} AND sku LIKE 'SKU-%'`,
    { shop: shopId },
  );
  return row?.cogs ?? '';
}

const isRestated = async ({ warehouse }: BenchContext, shopId: string, cogs: string): Promise<boolean> => {
  const [row] = await warehouse.query<{ cogs: string }>(
    "SELECT toString(sum(sums['cogs'])) AS cogs FROM daily_orders FINAL WHERE shop_id = {shop:String}",
    { shop: shopId },
  );
  return row?.cogs === cogs;
};

async function restated(context: BenchContext, shopId: string, cogs: string): Promise<void> {
  const until = Date.now() + 10 * 60_000;
  while (!(await isRestated(context, shopId, cogs))) {
    if (Date.now() > until) throw new Error('the history is not restated after ten minutes');
    await sleep(200);
  }
}

/** Sends one order after the other until the history is restated; gives how long each took to show, in milliseconds. */
async function probe(context: BenchContext, key: string, shopId: string, cogs: string): Promise<number[]> {
  const { url } = context.service;
  const delays: number[] = [];
  for (let i = 0; delays.length < 3 || !(await isRestated(context, shopId, cogs)); i++) {
    delays.push(await timeToShow(url, key, `meanwhile-${i}`));
    await sleep(PROBE_EVERY_MS);
  }
  return delays;
}
