import { setTimeout as sleep } from 'node:timers/promises';
import { applyViews } from '../../src/warehouse/migrations/views.js';
import { clickhouseFolder } from '../../src/paths.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import { analystOf } from '../support/bi-proxy.js';
import type { BenchContext } from './context.js';
import { median, milliseconds, quantile, spread, type Ratio, type Section } from './harness.js';

const ROUNDS = 7;
const REQUESTS = 60;
const YEARS = [2021, 2022, 2023, 2024];
/** More than run at once; most of them wait. */
const QUERIES = 20;
/** Reads as many rows as it may, for its minute. */
const HEAVY = 'SELECT max(sipHash64(number)) AS most FROM numbers_mt(1900000000)';
const RUNNING = "SELECT count() AS n FROM system.processes WHERE startsWith(user, 'bi_')";
const WAIT_MS = 60_000;

/**
 * How long another shop waits for its metrics while an analyst asks 20 heavy queries at once, against alone. Each round measures both,
 * one after the other, and the median of the rounds counts: what else the machine does hits both.
 */
export const analyst: Section<BenchContext> = {
  name: 'analyst',
  async run({ service, warehouse, newShop, startBiProxy }) {
    await applyViews(warehouse, { database: 'profit', folder: clickhouseFolder('views/bi') });
    const [victim, { shopId }] = [await newShop('victim'), await newShop('analyst')];
    await fillYears(warehouse, victim.shopId);
    const proxy = await startBiProxy();
    const ask = await analystOf(shopId, proxy, warehouse);
    let asked = 0;
    const read = async (): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < REQUESTS; i++, asked++) {
        const startedAt = performance.now();
        // Another range each time, so that none is answered from a cache.
        const year = String(YEARS[asked % YEARS.length]);
        const from = `${year}-01-${String(1 + (Math.floor(asked / YEARS.length) % 28)).padStart(2, '0')}`;
        const to = `${year}-0${String(3 + (Math.floor(asked / (YEARS.length * 28)) % 7))}-28`;
        const answer = await fetch(`${service.url}/v1/metrics?from=${from}&to=${to}`, {
          headers: { authorization: `Bearer ${victim.key}` },
        });
        if (!answer.ok) throw new Error(await answer.text());
        await answer.arrayBuffer();
        times.push(performance.now() - startedAt);
      }
      return quantile(times, 0.95);
    };
    const [alone, beside]: [number[], number[]] = [[], []];
    try {
      for (let round = 0; round <= ROUNDS; round++) {
        const quiet = await read();
        let asks = true;
        const heavy = async (): Promise<void> => {
          while (asks) await ask(HEAVY).catch(() => sleep(20));
        };
        const queries = Array.from({ length: QUERIES }, heavy);
        await until(warehouse, (running) => running >= 3);
        const busy = await read();
        await until(warehouse, (running) => running >= 3);
        asks = false;
        const stop = setInterval(() => {
          void warehouse.query("KILL QUERY WHERE startsWith(user, 'bi_') ASYNC").catch(() => undefined);
        }, 50);
        await Promise.all(queries);
        clearInterval(stop);
        await until(warehouse, (running) => running === 0);
        // The first round warms up.
        if (round === 0) continue;
        alone.push(quiet);
        beside.push(busy);
      }
    } finally {
      await proxy.stop();
    }
    const ratios = beside.map((busy, i) => busy / (alone[i] ?? NaN));
    const ratio: Ratio = {
      what: `p95 of a shop's metrics beside ${QUERIES} heavy queries of an analyst against alone`,
      ours: milliseconds(median(beside)),
      against: milliseconds(median(alone)),
      ratio: median(ratios),
      spread: spread(ratios),
      goal: { atMost: 3 },
    };
    return [ratio];
  },
};

/** Waits for so many queries of analysts at the engine. */
async function until(warehouse: Warehouse, isEnough: (running: number) => boolean): Promise<void> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
    const [row] = await warehouse.query<{ n: string }>(RUNNING);
    if (isEnough(Number(row?.n))) return;
    await sleep(20);
  }
  throw new Error('the queries of the analyst do not begin, or do not end');
}

async function fillYears(warehouse: Warehouse, shopId: string): Promise<void> {
  const days = YEARS.flatMap((year) =>
    Array.from({ length: 365 }, (_, day) => new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10)),
  );
  const rows = days.map((day) => ({
    shop_id: shopId,
    day,
    computed_at: 1,
    sums: { orders: 40, revenue: '4321.09', cogs: '1234.56', refunds: '98.76' },
  }));
  await warehouse.insert('daily_orders', rows);
}
