import type { BenchContext } from './context.js';
import { interleaved, perSecond, type Ratio, type Section } from './harness.js';
import type { LoadResult } from './load.js';
import { startProcess } from './processes.js';

/** Requests of a round, and orders of each: a live shop pushes few at once, an import many. */
const LOADS = [
  { batchSize: 5, batches: 1_200, ofApp: 1.2, ofFloor: 0.6 },
  { batchSize: 250, batches: 120, ofApp: 0.6, ofFloor: 0.75 },
] as const;
const CONNECTIONS = 8;
/** The load's orders are of 2024 and later. */
const BEFORE_ALL_ORDERS = Date.UTC(2023, 0, 1);

/**
 * Accepted orders a second, with no worker running: against a plain app of the same packages and against the least that it can cost;
 * and against a new shop, new orders of an old shop, of which Redis has forgotten versions, and orders that are all looked up in the
 * warehouse, since they are older than what it has forgotten.
 */
export const accept: Section<BenchContext> = {
  name: 'accept',
  async run({ rounds, service, redis, newShop }) {
    const load = startProcess('load.ts');
    const floor = startProcess('floor.ts');
    const plain = startProcess('plain-app.ts');
    try {
      const [young, old, resent] = [
        await newShop('accept'),
        await newShop('accept-old'),
        await newShop('accept-resent'),
      ];
      await redis.hset(`source:{${old.shopId}}`, 'known_from', BEFORE_ALL_ORDERS * 1_000);
      await redis.hset(`source:{${resent.shopId}}`, 'known_from', Date.now() * 1_000);
      const { port: floorPort } = await floor.ask<{ port: number }>({ redisUrl: service.redisUrl });
      const { port: plainPort } = await plain.ask<{ port: number }>({ redisUrl: service.redisUrl });
      const rows: Ratio[] = [];
      for (const { batchSize, batches, ofApp, ofFloor } of LOADS) {
        const measure = (origin: string, key: string) => async (round: number) => {
          const url = `${origin}/v1/orders`;
          const order = { url, keys: [key], seed: 1_000 + round, batches, batchSize, connections: CONNECTIONS };
          const { seconds, statuses } = await load.ask<LoadResult>(order);
          if (statuses[200] !== batches) throw new Error(`answers of ${url}: ${JSON.stringify(statuses)}`);
          return (batches * batchSize) / seconds;
        };
        const { medians, spreads } = await interleaved(rounds, {
          ours: measure(service.url, young.key),
          old: measure(service.url, old.key),
          resent: measure(service.url, resent.key),
          floor: measure(`http://127.0.0.1:${floorPort}`, ''),
          app: measure(`http://127.0.0.1:${plainPort}`, ''),
        });
        const row = (
          what: string,
          ours: 'ours' | 'old' | 'resent',
          other: 'ours' | 'floor' | 'app',
          atLeast: number,
        ): Ratio => ({
          what: `${what}, ${batchSize} a push`,
          ours: perSecond(medians[ours]),
          against: perSecond(medians[other]),
          ratio: medians[ours] / medians[other],
          goal: { atLeast },
          spread: spreads[ours],
        });
        rows.push(
          row('accepted orders, against a plain app of the same packages', 'ours', 'app', ofApp),
          row('accepted orders, against the least that it can cost', 'ours', 'floor', ofFloor),
          row('accepted orders of an old shop, against a new one', 'old', 'ours', 0.9),
          row('accepted orders that are all looked up, against new ones', 'resent', 'ours', 0.6),
        );
      }
      return rows;
    } finally {
      await Promise.all([load.stop(), floor.stop(), plain.stop()]);
    }
  },
};
