import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { readDemoMonth, type DemoMonth, type ExpectedDay } from '../../src/cli/demo/demo-month.js';
import { REQUEST_WAIT_MS } from '../../src/composition/stores.js';
import { loadConfig, type Config } from '../../src/config.js';
import { formatScaled, toMicros } from '../../src/domain/micros.js';
import type { RunningShards } from '../../src/embedded/engines/shards.js';
import { QUEUES } from '../../src/queue/jobs.js';
import { freeze } from '../embedded/processes.js';
import { SOURCE } from './deployments.js';
import { startShardedEngines, type Engines } from './engines.js';
import { environmentOf, startService, type Answer, type Service } from './service.js';
import { ownTime } from './worked.js';

/** A read is answered within this, or told that it can't be. */
export const TOLD_MS = 5_000;
const PUSH = 100;
/** Less than a test has. Figures that wait for a shard which is away would never come, so no machine is too slow for this. */
const FRESH_MS = 480_000;

/** A service on shards of its own, for shops with the real month of the demo, whose figures are known. */
export interface MonthOnShards {
  engines: Engines & { shards: RunningShards };
  service: Service;
  /** With which a command finds the shards. */
  config: Config;
  month: DemoMonth;
  /** The days of the month as a query names them. */
  range: string;
  /** To the server of this index. */
  signal(index: number, what: NodeJS.Signals): Promise<void>;
  /** Registers the source of a new shop and resolves to its key. */
  shopOf(name: string): Promise<string>;
  /** Every order is accepted. */
  push(key: string, orders: readonly unknown[]): Promise<void>;
  /** A read, and how long it took. */
  timed(path: string, key: string): Promise<Answer & { ms: number }>;
  /** Resolves once the metrics of the shop are those of the first days of the month; throws after {@link FRESH_MS}. */
  untilExact(key: string, days: number): Promise<void>;
  /** The shop has the figures of the first days of the month, as a whole and by day, and no job has failed. */
  expectExact(key: string, days: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startMonth(): Promise<MonthOnShards> {
  const month = await readDemoMonth('card');
  const engines = await startShardedEngines(2);
  const base = await environmentOf(engines);
  const service = await startService({ base, waitMs: REQUEST_WAIT_MS });
  const range = `from=${month.days[0]?.date}&to=${month.days.at(-1)?.date}`;
  return {
    engines,
    service,
    month,
    range,
    config: loadConfig({ ...base, DATA_DIR: engines.dataDir }),
    async signal(index, what) {
      const { pid } = engines.shards.shards[index] ?? {};
      if (pid === undefined) throw new RangeError(`there is no server ${index}`);
      if (what === 'SIGSTOP') await freeze(pid);
      else process.kill(pid, what);
    },
    async shopOf(name) {
      const key = await service.key(name);
      expect((await service.call('PUT', '/v1/source', { key, body: SOURCE })).status).to.equal(200);
      return key;
    },
    async push(key, all) {
      for (let i = 0; i < all.length; i += PUSH) {
        const orders = all.slice(i, i + PUSH);
        const { status, body } = await service.call('POST', '/v1/orders', { key, body: { orders } });
        expect(status, JSON.stringify(body).slice(0, 300)).to.equal(200);
        expect(body).to.include({ accepted: orders.length });
      }
    },
    async timed(path, key) {
      const began = ownTime();
      return { ...(await service.call('GET', path, { key })), ms: ownTime() - began };
    },
    async untilExact(key, days) {
      const expected = totalsOf(month.days.slice(0, days));
      const path = `/v1/metrics?from=${month.days[0]?.date}&to=${month.days[days - 1]?.date}`;
      for (const end = Date.now() + FRESH_MS; ;) {
        const { body } = await service.call('GET', path, { key });
        const isExact = Object.entries(expected).every(([name, value]) => body[name] === value);
        if (isExact) return;
        if (Date.now() > end) expect(body).to.include(expected);
        await sleep(200);
      }
    },
    async expectExact(key, count) {
      const known = month.days.slice(0, count);
      const own = `from=${known[0]?.date}&to=${known.at(-1)?.date}`;
      const { status, body } = await service.call('GET', `/v1/metrics?${own}`, { key });
      expect(status).to.equal(200);
      expect(body).to.include(totalsOf(known));
      const daily = (await service.call('GET', `/v1/metrics/daily?${own}`, { key })).body.days as { date: string }[];
      const byDate = new Map(daily.map((day) => [day.date, day]));
      for (const day of known) expect(byDate.get(day.date), day.date).to.include(day);
      for (const queue of QUEUES) expect(await service.deps.producer.counts(queue)).to.include({ failed: 0 });
    },
    async stop() {
      await service.stop();
      await engines.stop();
    },
  };
}

/** The sums of all days. */
function totalsOf(days: ExpectedDay[]) {
  const sum = (field: 'revenue' | 'refunds') => days.reduce((total, day) => total + toMicros(day[field]), 0n);
  return {
    orders: days.reduce((total, day) => total + day.orders, 0),
    revenue: formatScaled(sum('revenue'), 6),
    refunds: formatScaled(sum('refunds'), 6),
  };
}
