import { Agent } from 'node:http';
import { rebuildRollups } from '../../src/warehouse/queries/rollups.js';
import type { BenchContext } from './context.js';
import { interleaved, milliseconds, p50, type Interleaved, type Ratio, type Section } from './harness.js';
import { rebuildAll } from './history.js';
import { read } from './http-get.js';
import { writeCatalog, writeOrderVersions, writeStoredOrders, type StoredHistory } from './orders.js';

const ROUNDS = 5;
const CALLS = 10;
const REBUILDS = 3;
const ORDERS = 3_000_000;
const HISTORY = { orders: ORDERS, firstDay: '2021-01-01', days: 1_826, articles: 2_000 };
/** One order in so many is refunded: 10^6 of them. */
const EVERY = 3;
/** As many inserts as the worker makes of pushes that hold orders of all five years. */
const INSERTS = 200;
const REFUNDED_AFTER = '1 + number % 60';
const YEAR = 'from=2022-03-01&to=2023-03-01';
const MONTH = 'from=2022-06-01&to=2022-06-30';
const REBUILT_FROM = Date.parse('2022-06-01');
const REBUILT_DAYS = 20;
const DAY_MS = 86_400_000;
const ALLOWED = 1.2;

/**
 * Reads and rebuilds of an old year after 10^6 refunds were scattered over five years, against a shop whose orders are the
 * same and were pushed once, refunds and all, in the order of their days.
 */
export const oldYears: Section<BenchContext> = {
  name: 'old-years',
  async run(context) {
    const { service, newShop } = context;
    const [fresh, old] = [await newShop('fresh-years'), await newShop('old-years')];
    await writeFresh(context, { ...HISTORY, shopId: fresh.shopId });
    await writeScattered(context, { ...HISTORY, shopId: old.shopId });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const get = (path: string) => (key: string) => () => p50(CALLS, () => read(`${service.url}${path}`, key, agent));
    const rebuild = (shopId: string) => {
      const days = Array.from({ length: REBUILT_DAYS }, (_, i) => ({
        shopId,
        day: new Date(REBUILT_FROM + i * DAY_MS).toISOString().slice(0, 10),
      }));
      return () => p50(REBUILDS, () => rebuildRollups(context.warehouse, days, context.takeStamps));
    };
    const compare = async (what: string, ours: () => Promise<number>, against: () => Promise<number>): Promise<Ratio> =>
      row(what, await interleaved(ROUNDS, { ours, against }));
    const both = (what: string, path: string): Promise<Ratio> =>
      compare(what, get(path)(old.key), get(path)(fresh.key));
    try {
      return [
        await both('metrics of an old year', `/v1/metrics?${YEAR}`),
        await both('metrics by day of an old year', `/v1/metrics/daily?${YEAR}`),
        await both('products of an old year', `/v1/products?${YEAR}`),
        await both('orders of an old month', `/v1/orders?${MONTH}`),
        await compare(`rebuild of ${REBUILT_DAYS} old days`, rebuild(old.shopId), rebuild(fresh.shopId)),
      ];
    } finally {
      agent.destroy();
    }
  },
};

async function writeFresh(context: BenchContext, history: StoredHistory): Promise<void> {
  const { warehouse } = context;
  await writeCatalog(warehouse, history);
  const perInsert = ORDERS / 20;
  for (let from = 0; from < ORDERS; from += perInsert) {
    for (const refunded of [true, false]) {
      const condition = `number % ${EVERY} ${refunded ? '=' : '!='} 0`;
      const source = `(SELECT number FROM numbers(${from}, ${perInsert}) WHERE ${condition})`;
      await writeOrderVersions(warehouse, history, {
        source,
        version: 1,
        ...(refunded && { refundedAfter: REFUNDED_AFTER }),
      });
    }
  }
  await rebuildAll(context, history.shopId);
}

async function writeScattered(context: BenchContext, history: StoredHistory): Promise<void> {
  const { warehouse } = context;
  await writeCatalog(warehouse, history);
  await writeStoredOrders(warehouse, history);
  await rebuildAll(context, history.shopId);
  for (let i = 0; i < INSERTS; i++) {
    const ofInsert = `intHash32(number) % ${INSERTS} = ${i}`;
    const source = `(SELECT ${EVERY} * number AS number FROM numbers(${ORDERS / EVERY}) WHERE ${ofInsert})`;
    await writeOrderVersions(warehouse, history, { source, version: 2, refundedAfter: REFUNDED_AFTER });
  }
  await rebuildAll(context, history.shopId);
}

function row(what: string, { medians, spreads }: Interleaved<'ours' | 'against'>): Ratio {
  const { ours, against } = medians;
  return {
    what: `${what} after 10^6 scattered refunds, against fresh data`,
    ours: milliseconds(ours),
    against: milliseconds(against),
    ratio: ours / against,
    spread: spreads.ours,
    goal: { atMost: ALLOWED },
  };
}
