import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from './context.js';
import { median, type Ratio, type Section } from './harness.js';
import { rebuildAll } from './history.js';
import { writeStoredOrders } from './orders.js';

const ORDERS = 1_000_000;
const FIRST_DAY = '2022-01-01';
const DAYS = 1_096;
const ARTICLES = 20_000;
const PUSHED = 1_000;
const ALLOWED_SECONDS = 60;
const ALLOWED_DELAY_MS = 2_000;
/** Orders that come in before the push, for comparison. */
const ALONE = 7;
const PROBE_EVERY_MS = 400;

/**
 * A catalog push of 1,000 articles to a shop with 10^6 orders over three years: how long until every day is restated, and
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
      for (let i = 0; i < ALONE; i++) alone.push(await fresh(service.url, key, i));
      const startedAt = performance.now();
      const costs = Array.from({ length: PUSHED }, (_, i) => ({ sku: `SKU-${i}`, unit_cost: '3' }));
      await call('PUT', `${service.url}/v1/products/costs`, key, { costs });
      const [seconds, delays] = await Promise.all([
        restated(context, shopId).then(() => (performance.now() - startedAt) / 1000),
        probe(context, service.url, key, shopId),
      ]);
      return [
        allowed(`restating ${DAYS} days of 10^6 orders`, seconds, ALLOWED_SECONDS, 's'),
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
    'SELECT toString(sum(cogs)) AS cogs FROM daily_orders FINAL WHERE shop_id = {shop:String}',
    { shop: shopId },
  );
  return row?.cogs === cogs;
};

async function restated(context: BenchContext, shopId: string): Promise<void> {
  const cogs = await expectedCogs(context, shopId);
  const until = Date.now() + 10 * 60_000;
  while (!(await isRestated(context, shopId, cogs))) {
    if (Date.now() > until) throw new Error('the history is not restated after ten minutes');
    await sleep(200);
  }
}

/** Sends one order after the other until the history is restated; gives how long each took to show, in milliseconds. */
async function probe(context: BenchContext, url: string, key: string, shopId: string): Promise<number[]> {
  const delays: number[] = [];
  const cogs = await expectedCogs(context, shopId);
  for (let i = ALONE; delays.length < 3 || !(await isRestated(context, shopId, cogs)); i++) {
    delays.push(await fresh(url, key, i));
    await sleep(PROBE_EVERY_MS);
  }
  return delays;
}

/** Pushes an order of today and waits until it counts. */
async function fresh(url: string, key: string, index: number): Promise<number> {
  const order = {
    order_id: `fresh-${index}`,
    placed_at: new Date().toISOString(),
    currency: 'GBP',
    status: 'paid',
    line_items: [{ line_id: '1', quantity: '1', unit_price: '1' }],
    total: '1',
  };
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(new Date());
  const startedAt = performance.now();
  await call('POST', `${url}/v1/orders`, key, { orders: [order] });
  for (;;) {
    const { orders } = await call<{ orders: number }>('GET', `${url}/v1/metrics?from=${today}&to=${today}`, key);
    if (orders > index) return performance.now() - startedAt;
    await sleep(20);
  }
}

async function call<Answer>(method: string, url: string, key: string, body?: object): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${url} was answered with ${response.status}: ${JSON.stringify(answer)}`);
  return answer as Answer;
}
