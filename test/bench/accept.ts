import type { BenchContext } from './context.js';
import { interleaved, perSecond, type Section } from './harness.js';
import type { LoadResult } from './load.js';
import { startProcess } from './processes.js';

const BATCHES = 120;
const BATCH_SIZE = 250;
const CONNECTIONS = 8;

/**
 * Accepted orders a second, with no worker running, against a bare server that parses the same bytes and stores them in
 * the same Redis, and against a plain app.
 */
export const accept: Section<BenchContext> = {
  name: 'accept',
  async run({ rounds, service, newShop }) {
    const load = startProcess('load.ts');
    const bare = startProcess('bare-server.ts');
    const plain = startProcess('plain-app.ts');
    try {
      const { key } = await newShop('accept');
      const { port } = await bare.ask<{ port: number }>({ redisUrl: service.redisUrl });
      const { port: plainPort } = await plain.ask<{ port: number }>({ redisUrl: service.redisUrl });
      const measure = (url: string) => async (round: number) => {
        const order = {
          url,
          keys: [key],
          seed: 1_000 + round,
          batches: BATCHES,
          batchSize: BATCH_SIZE,
          connections: CONNECTIONS,
        };
        const { seconds, statuses } = await load.ask<LoadResult>(order);
        if (statuses[200] !== BATCHES) throw new Error(`answers of ${url}: ${JSON.stringify(statuses)}`);
        return (BATCHES * BATCH_SIZE) / seconds;
      };
      const { medians, spreads } = await interleaved(rounds, {
        ours: measure(`${service.url}/v1/orders`),
        against: measure(`http://127.0.0.1:${port}/v1/orders`),
        app: measure(`http://127.0.0.1:${plainPort}/v1/orders`),
      });
      const { ours, against, app } = medians;
      const row = (what: string, other: number, atLeast: number) => ({
        what,
        ours: perSecond(ours),
        against: perSecond(other),
        ratio: ours / other,
        goal: { atLeast },
        spread: spreads.ours,
      });
      return [
        row('accepted orders, against a bare server', against, 0.45),
        row('accepted orders, against a plain app of the same packages', app, 1),
      ];
    } finally {
      await Promise.all([load.stop(), bare.stop(), plain.stop()]);
    }
  },
};
