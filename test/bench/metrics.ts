import { Agent } from 'node:http';
import { rebuildRollups } from '../../src/warehouse/queries/rollups.js';
import type { BenchContext } from './context.js';
import { interleaved, milliseconds, p50, type Interleaved, type Ratio, type Section } from './harness.js';
import { BUSY_DAY, writeHistory } from './history.js';
import { read } from './http-get.js';

const ROUNDS = 9;
const CALLS = 40;
const REBUILDS = 5;
const RANGE = 'from=2025-01-01&to=2026-01-01';
const SMALL = 100_000;
/** A fixed piece of work for the warehouse: what the machine is slowed down by, slows it down too. */
const YARDSTICK = 'SELECT sum(cityHash64(number)) FROM numbers(4000000) SETTINGS max_threads = 1';

type Subject = 'metrics' | 'daily' | 'select1' | 'rebuild' | 'yardstick';
type Times = Interleaved<Subject>;

/**
 * `GET /v1/metrics` and its days over 366 days against a bare `SELECT 1`, all on a warm connection; and how they and the
 * rebuild of a day of fixed size grow from 10^5 orders of history on. The small history is measured before the large one is
 * written; both are set against work of fixed size at the same moment, so that a machine that is busier now does not count.
 */
const metricsOf = (name: string, orders: number): Section<BenchContext> => ({
  name,
  async run(context) {
    const small = await measure(context, 'small', SMALL);
    const large = await measure(context, 'large', orders);
    const size = `10^${Math.round(Math.log10(orders))}`;
    return [
      ratio(`metrics over 366 days at ${size} orders, against SELECT 1`, large, 'metrics', large.medians.select1, 2.5),
      ratio(`metrics by day over 366 days at ${size}, against SELECT 1`, large, 'daily', large.medians.select1, 4),
      growth(`metrics at ${size} orders, against 10^5`, small, large, 'metrics', 'select1'),
      growth(`metrics by day at ${size} orders, against 10^5`, small, large, 'daily', 'select1'),
      growth(`rebuild of one day at ${size} orders, against 10^5`, small, large, 'rebuild', 'yardstick'),
    ];
  },
});

export const metrics = metricsOf('metrics', 10_000_000);
/** Takes an hour and some 30 GB of disk. */
export const hugeMetrics = metricsOf('huge-metrics', 100_000_000);

async function measure(context: BenchContext, name: string, orders: number): Promise<Times> {
  const { service, warehouse, takeStamps, newShop } = context;
  const { shopId, key } = await newShop(name);
  await writeHistory(context, shopId, orders);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const days = [{ shopId, day: BUSY_DAY }];
  try {
    return await interleaved(ROUNDS, {
      metrics: () => p50(CALLS, () => read(`${service.url}/v1/metrics?${RANGE}`, key, agent)),
      daily: () => p50(CALLS, () => read(`${service.url}/v1/metrics/daily?${RANGE}`, key, agent)),
      select1: () => p50(CALLS, () => warehouse.query('SELECT 1')),
      rebuild: () => p50(REBUILDS, () => rebuildRollups(warehouse, days, takeStamps)),
      yardstick: () => p50(REBUILDS, () => warehouse.query(YARDSTICK)),
    });
  } finally {
    agent.destroy();
  }
}

function ratio(what: string, { medians, spreads }: Times, subject: Subject, against: number, atMost: number): Ratio {
  const ours = medians[subject];
  const texts = { what, ours: milliseconds(ours), against: milliseconds(against) };
  return { ...texts, ratio: ours / against, spread: spreads[subject], goal: { atMost } };
}

function growth(what: string, small: Times, large: Times, subject: Subject, fixed: Subject): Ratio {
  const slower = large.medians[fixed] / small.medians[fixed];
  const row = ratio(what, large, subject, small.medians[subject], 1.2);
  return { ...row, ratio: row.ratio / slower };
}
