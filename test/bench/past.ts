import { Agent } from 'node:http';
import { rebuildRollups, storedDays } from '../../src/warehouse/queries/rollups.js';
import type { BenchContext } from './context.js';
import { interleaved, milliseconds, p50, type Ratio, type Section } from './harness.js';
import { writeHistory } from './history.js';
import { read } from './http-get.js';

const ORDERS = 1_000_000;
const ROUNDS = 7;
const CALLS = 20;
const YEAR = 'from=2025-01-01&to=2025-12-31';
const MONTH = 'from=2025-06-01&to=2025-06-30';
/** Times that the unit cost of every article changes, and with it every day of the range. */
const RESTATEMENTS = 5;
const QUESTIONS = [
  { what: 'metrics of 30 days', path: `metrics?${MONTH}` },
  { what: 'metrics of a year', path: `metrics?${YEAR}` },
  { what: 'the days of a year', path: `metrics/daily?${YEAR}` },
  { what: 'products of 30 days', path: `products?${MONTH}` },
  { what: 'products of a year', path: `products?${YEAR}` },
];

/**
 * What stood before the days of a year were restated several times, against what stands now, for a shop with 10^6 orders; and
 * what the histories take on disk, against the orders.
 */
export const past: Section<BenchContext> = {
  name: 'past',
  async run(context) {
    const { service, warehouse, takeStamps, newShop } = context;
    const { shopId, key } = await newShop('past');
    await writeHistory(context, shopId, ORDERS);
    const [row] = await warehouse.query<{ now: string }>(`SELECT formatDateTime(now64(6), '%FT%T.%fZ') AS now`);
    for (let i = 1; i <= RESTATEMENTS; i++) {
      await warehouse.command(
        `INSERT INTO product_costs SELECT * REPLACE (unit_cost + 1 AS unit_cost, version + 1 AS version)
         FROM product_costs FINAL WHERE shop_id = '${shopId}'`,
      );
      const days = await storedDays(warehouse, { shopId, from: '2025-01-01', to: '2025-12-31' });
      for (let from = 0; from < days.length; from += 60) {
        await rebuildRollups(warehouse, days.slice(from, from + 60), takeStamps);
      }
    }
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      const ratios: Ratio[] = [];
      for (const { what, path } of QUESTIONS) {
        const url = `${service.url}/v1/${path}`;
        const { medians: times, spreads } = await interleaved(ROUNDS, {
          now: () => p50(CALLS, () => read(url, key, agent)),
          then: () => p50(CALLS, () => read(`${url}&as_of=${row?.now ?? ''}`, key, agent)),
        });
        ratios.push({
          what: `${what} as of before ${RESTATEMENTS} restatements, against now`,
          ours: milliseconds(times.then),
          against: milliseconds(times.now),
          ratio: times.then / times.now,
          spread: spreads.then,
          goal: { atMost: 2 },
        });
      }
      return [...ratios, await storage(context)];
    } finally {
      agent.destroy();
    }
  },
};

async function storage({ warehouse }: BenchContext): Promise<Ratio> {
  const bytes = async (tables: string): Promise<number> => {
    const [row] = await warehouse.query<{ bytes: string }>(
      `SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase() AND ${tables}`,
    );
    return Number(row?.bytes);
  };
  for (const table of ['orders', 'order_days', 'order_keys', 'daily_orders_history']) {
    await warehouse.command(`OPTIMIZE TABLE ${table} FINAL`);
  }
  const [history, orders] = [
    await bytes("(table LIKE '%\\_history' OR table = 'day_causes')"),
    await bytes("table IN ('orders', 'order_days', 'order_keys')"),
  ];
  const text = (size: number): string => `${(size / 1e6).toFixed(0)} MB`;
  const what = 'storage of the past, against that of the orders';
  return { what, ours: text(history), against: text(orders), ratio: history / orders, goal: { atMost: 0.1 } };
}
