import { applyViews } from '../../src/warehouse/migrations/views.js';
import { clickhouseFolder } from '../../src/paths.js';
import { analystOf } from '../support/bi-proxy.js';
import type { BenchContext } from './context.js';
import { median, milliseconds, quantile, spread, type Ratio, type Section } from './harness.js';

const ROUNDS = 5;
const REQUESTS = 100;
/** More than run and wait at once. */
const QUERIES = 20;
/** Reads as many rows as it may, for its minute. */
const HEAVY = 'SELECT max(sipHash64(number)) AS most FROM numbers_mt(1900000000)';

/** How long another shop waits for its metrics while an analyst asks 20 heavy queries at once, against alone. */
export const analyst: Section<BenchContext> = {
  name: 'analyst',
  async run({ service, warehouse, newShop, startBiProxy }) {
    await applyViews(warehouse, { database: 'profit', folder: clickhouseFolder('views/bi') });
    const [victim, { shopId }] = [await newShop('victim'), await newShop('analyst')];
    const proxy = await startBiProxy();
    const ask = await analystOf(shopId, proxy, warehouse);
    const read = async (round: number): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < REQUESTS; i++) {
        const startedAt = performance.now();
        // Another range each time, so that none is answered from a cache.
        const from = `20${String(10 + round)}-01-${String(1 + (i % 28)).padStart(2, '0')}`;
        const answer = await fetch(`${service.url}/v1/metrics?from=${from}&to=20${String(10 + round)}-06-30`, {
          headers: { authorization: `Bearer ${victim.key}` },
        });
        if (!answer.ok) throw new Error(await answer.text());
        await answer.arrayBuffer();
        times.push(performance.now() - startedAt);
      }
      return quantile(times, 0.95);
    };
    const alone: number[] = [];
    const beside: number[] = [];
    let asks = true;
    const heavy = async (): Promise<void> => {
      while (asks) await ask(HEAVY).catch(() => undefined);
    };
    for (let round = 0; round < ROUNDS; round++) alone.push(await read(round));
    const queries = Array.from({ length: QUERIES }, heavy);
    for (let round = 0; round < ROUNDS; round++) beside.push(await read(round));
    asks = false;
    await warehouse.query("KILL QUERY WHERE startsWith(user, 'bi_') SYNC");
    await proxy.stop();
    await Promise.all(queries);
    const [quiet, busy] = [median(alone), median(beside)];
    const ratio: Ratio = {
      what: `p95 of a shop's metrics beside ${QUERIES} heavy queries of an analyst against alone`,
      ours: milliseconds(busy),
      against: milliseconds(quiet),
      ratio: busy / quiet,
      spread: spread(beside),
      goal: { atMost: 3 },
    };
    return [ratio];
  },
};
