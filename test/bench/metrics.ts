import { Agent } from 'node:http';
import { rebuildRollups } from '../../src/warehouse/queries/rollups.js';
import type { BenchContext } from './context.js';
import { interleaved, milliseconds, p50, type Ratio, type Section } from './harness.js';
import { BUSY_DAY, writeHistory } from './history.js';
import { read } from './http-get.js';

const ROUNDS = 9;
const CALLS = 40;
const REBUILDS = 5;
const RANGE = 'from=2025-01-01&to=2026-01-01';
const SMALL = 100_000;
const LARGE = 10_000_000;
/** A fixed piece of work for the warehouse: what the machine is slowed down by, slows it down too. */
const YARDSTICK = 'SELECT sum(cityHash64(number)) FROM numbers(4000000) SETTINGS max_threads = 1';

interface Times {
  metrics: number;
  select1: number;
  rebuild: number;
  yardstick: number;
}

/**
 * `GET /v1/metrics` over 366 days against a bare `SELECT 1`, both on a warm connection; and how it and the rebuild of a day
 * of fixed size grow from 10^5 to 10^7 orders of history. The small history is measured before the large one is written;
 * both are set against work of fixed size at the same moment, so that a machine that is busier now does not count.
 */
export const metrics: Section<BenchContext> = {
  name: 'metrics',
  async run(context) {
    const small = await measure(context, 'small', SMALL);
    const large = await measure(context, 'large', LARGE);
    return [
      ratio('metrics over 366 days, against SELECT 1', large.metrics, large.select1, { atMost: 4 }),
      growth('metrics at 10^7 orders, against 10^5', small, large, 'metrics', 'select1', 1.3),
      growth('rebuild of one day at 10^7 orders, against 10^5', small, large, 'rebuild', 'yardstick', 1.5),
    ];
  },
};

async function measure(context: BenchContext, name: string, orders: number): Promise<Times> {
  const { service, warehouse, takeStamps, newShop } = context;
  const { shopId, key } = await newShop(name);
  await writeHistory(context, shopId, orders);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${service.url}/v1/metrics?${RANGE}`;
  const days = [{ shopId, day: BUSY_DAY }];
  try {
    return await interleaved(ROUNDS, {
      metrics: () => p50(CALLS, () => read(url, key, agent)),
      select1: () => p50(CALLS, () => warehouse.query('SELECT 1')),
      rebuild: () => p50(REBUILDS, () => rebuildRollups(warehouse, days, takeStamps)),
      yardstick: () => p50(REBUILDS, () => warehouse.query(YARDSTICK)),
    });
  } finally {
    agent.destroy();
  }
}

function ratio(what: string, ours: number, against: number, goal: Ratio['goal']): Ratio {
  return { what, ours: milliseconds(ours), against: milliseconds(against), ratio: ours / against, goal };
}

function growth(
  what: string,
  small: Times,
  large: Times,
  subject: 'metrics' | 'rebuild',
  fixed: 'select1' | 'yardstick',
  atMost: number,
): Ratio {
  const slower = large[fixed] / small[fixed];
  const row = ratio(what, large[subject], small[subject], { atMost });
  return { ...row, ratio: row.ratio / slower };
}
