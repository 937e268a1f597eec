import { startAttackers } from '../support/attackers.js';
import { storeOrder } from '../support/store-order.js';
import type { BenchContext } from './context.js';
import { median, milliseconds, quantile, spread, type Ratio, type Section } from './harness.js';

const ROUNDS = 5;
const REQUESTS = 100;
const NOON = '2026-03-01T12:00:00Z';

/** How long a shop waits beside two others that send what costs most, against how long it waits alone. */
export const attacked: Section<BenchContext> = {
  name: 'attacked',
  async run({ service, newShop }) {
    const victim = await newShop('victim');
    const attackers = await Promise.all([newShop('attacker'), newShop('attacker')]);
    const ask = async (method: string, path: string, body?: unknown): Promise<void> => {
      const response = await fetch(service.url + path, {
        method,
        headers: { authorization: `Bearer ${victim.key}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
      await response.arrayBuffer();
    };
    let pushed = 0;
    const subjects = {
      reads: () => ask('GET', '/v1/metrics'),
      pushes: () => ask('POST', '/v1/orders', { orders: [storeOrder(`v${pushed++}`, NOON, '1', { currency: 'GBP' })] }),
    };
    const alone: Record<keyof typeof subjects, number[]> = { reads: [], pushes: [] };
    const beside: typeof alone = { reads: [], pushes: [] };
    const round = async (into: typeof alone): Promise<void> => {
      into.reads.push(await p99(subjects.reads));
      into.pushes.push(await p99(subjects.pushes));
    };
    const crowd = startAttackers(
      service.url,
      attackers.map(({ key }) => key),
    );
    try {
      for (let i = 0; i < ROUNDS; i++) {
        await round(alone);
        await crowd.attack();
        await round(beside);
        await crowd.rest();
      }
    } finally {
      await crowd.stop();
    }
    return (['reads', 'pushes'] as const).map((name): Ratio => {
      const [quiet, busy] = [median(alone[name]), median(beside[name])];
      return {
        what: `p99 of a shop's ${name} beside two attackers against alone`,
        ours: milliseconds(busy),
        against: milliseconds(quiet),
        ratio: busy / quiet,
        spread: spread(beside[name]),
        goal: { atMost: 3 },
      };
    });
  },
};

async function p99(call: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  }
  return quantile(times, 0.99);
}
