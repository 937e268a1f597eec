import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readQuestions } from '../../src/warehouse/bi/questions.js';
import { applyViews } from '../../src/warehouse/migrations/views.js';
import { analystOf } from '../support/bi-proxy.js';
import type { BenchContext } from './context.js';
import { engineMicrosOf } from './engine-cpu.js';
import { milliseconds, type Ratio, type Section } from './harness.js';
import { rebuildAll } from './history.js';
import { read } from './http-get.js';
import { ORDERS_PER_INSERT, writeCatalog, writeOrderVersions, type StoredHistory } from './orders.js';

const ROOT = join(import.meta.dirname, '../..');
const CALLS = 7;
const ORDERS = 1_000_000;
const NEW_ORDERS = ORDERS / 100;
const HISTORY = { orders: ORDERS, firstDay: '2024-01-01', days: 731, articles: 2_000, customers: 250_000 };
/** New orders come on days from here on. */
const AFTER = '2025-12-31';
const ALL = 'from=2024-01-01&to=2025-12-31';
const YEAR = 'from=2025-01-01&to=2025-12-31';
const MICROS_PER_ORDER = 0.5;
const ORDER_MICROS = 30_000;
/** Of the bytes of a whole backup, after one order in a hundred is new. */
const INCREMENT = 0.05;

/** What the build 6179dea8 took, by the figures of its own run: `shared/scale.md`. */
const EARLIER = { cohorts: '6.4 µs', customers: '5.3 µs', order: '97 ms' };

/** What a shop of 10^6 orders costs to look into: CPU of the warehouse by order, one order, and what a backup writes of one hundredth. */
export const large: Section<BenchContext> = {
  name: 'large',
  async run(context) {
    const { service, warehouse, newShop, startBiProxy } = context;
    await applyViews(warehouse, { database: 'profit', folder: join(ROOT, 'clickhouse/views/bi') });
    const { shopId, key } = await newShop('large');
    const history = { ...HISTORY, shopId };
    await writeCatalog(warehouse, history);
    await write(context, history, 0, ORDERS);
    const questions = await readQuestions(join(ROOT, 'clickhouse/views/questions'));
    const sqlOf = (title: string): string => questions.find((one) => one.title === title)?.sql ?? '';
    const proxy = await startBiProxy();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      const ask = await analystOf(shopId, proxy, warehouse);
      const get = (path: string) => () => read(`${service.url}/v1/${path}`, key, agent);
      const perOrder = async (what: string, call: () => Promise<unknown>, earlier?: string): Promise<Ratio> => {
        const micros = (await engineMicrosOf(warehouse, CALLS, call)) / ORDERS;
        return {
          what: `${what}: CPU of the warehouse an order of 10^6${before(earlier)}`,
          ours: `${micros.toFixed(2)} µs`,
          against: `${MICROS_PER_ORDER} µs`,
          ratio: micros / MICROS_PER_ORDER,
          goal: { atMost: 1 },
        };
      };
      const [first] = await warehouse.query<{ order_id: string }>(
        `SELECT order_id FROM order_facts WHERE shop_id = '${shopId}' AND day = '2025-06-15' LIMIT 1`,
      );
      const order = await engineMicrosOf(warehouse, 3 * CALLS, get(`orders/${first?.order_id ?? ''}`));
      return [
        await perOrder('new and returning customers of a year', get(`metrics?${YEAR}&include=customers`)),
        await perOrder('cohorts', get(`customers/cohorts?${ALL}`)),
        await perOrder('bi: cohorts', () => ask(sqlOf('Cohorts of customers')), EARLIER.cohorts),
        await perOrder('bi: best customers', () => ask(sqlOf('Best customers')), EARLIER.customers),
        {
          what: `one order by id: CPU of the warehouse${before(EARLIER.order)}`,
          ours: milliseconds(order / 1000),
          against: milliseconds(ORDER_MICROS / 1000),
          ratio: order / ORDER_MICROS,
          goal: { atMost: 1 },
        },
        await increment(context, history),
      ];
    } finally {
      await proxy.stop();
      agent.destroy();
    }
  },
};

const before = (earlier: string | undefined): string => (earlier === undefined ? '' : ` (6179dea8: ${earlier})`);

async function write(context: BenchContext, history: StoredHistory, first: number, last: number): Promise<void> {
  for (let from = first; from < last; from += ORDERS_PER_INSERT) {
    const source = `numbers(${from}, ${Math.min(ORDERS_PER_INSERT, last - from)})`;
    await writeOrderVersions(context.warehouse, history, { source, version: 1 });
  }
  await rebuildAll(context, history.shopId, first === 0 ? undefined : AFTER);
}

async function increment(context: BenchContext, history: StoredHistory): Promise<Ratio> {
  const folder = await mkdtemp(join(tmpdir(), 'profit-bench-'));
  const [whole, next] = [join(folder, 'whole'), join(folder, 'next')];
  try {
    await backUp(context, whole);
    await write(context, history, ORDERS, ORDERS + NEW_ORDERS);
    await backUp(context, next, '--since', whole);
    const [all, changed] = [await bytesOf(whole), await bytesOf(next)];
    const ratio = changed / all;
    return {
      what: 'an increment of a backup after 1 % new orders, against the whole (6179dea8: had none)',
      ours: megabytes(changed),
      against: megabytes(all),
      ratio,
      goal: { atMost: INCREMENT },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

async function backUp({ service }: BenchContext, ...args: string[]): Promise<void> {
  const env = { ...process.env, ...service.env };
  await promisify(execFile)(process.execPath, [join(ROOT, 'dist/src/cli/main.js'), 'backup', ...args], { env });
}

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
