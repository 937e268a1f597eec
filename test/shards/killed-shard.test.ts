import { expect } from 'chai';
import { readDemoMonth, totalsOf, type DemoMonth } from '../../src/cli/demo/demo-month.js';
import type { RunningShards } from '../../src/embedded/engines/shards.js';
import { QUEUES } from '../../src/queue/jobs.js';
import { startShardedEngines, type Engines } from '../support/engines.js';
import { environmentOf, startService, type Answer, type Service } from '../support/service.js';
import { ownTime } from '../support/worked.js';

const PUSH = 50;
/** A read is told within this that it can't be answered. */
const TOLD_MS = 5_000;

describe('a shard that is killed in mid-import', () => {
  let engines: Engines & { shards: RunningShards };
  let service: Service;
  let month: DemoMonth;

  before(async () => {
    month = await readDemoMonth('card');
    engines = await startShardedEngines(2);
    service = await startService({ base: await environmentOf(engines) });
  });
  after(async () => {
    await service.stop();
    await engines.stop();
  });

  /** Pushes the month; `onPush` is told before each push. */
  async function importMonth(key: string, onPush: (number: number) => Promise<void>): Promise<void> {
    for (let i = 0; i * PUSH < month.orders.length; i++) {
      await onPush(i);
      const orders = month.orders.slice(i * PUSH, (i + 1) * PUSH);
      const { status, body } = await service.call('POST', '/v1/orders', { key, body: { orders } });
      expect(status, JSON.stringify(body).slice(0, 300)).to.equal(200);
      expect(body).to.include({ accepted: orders.length });
    }
  }

  async function timed(path: string, key: string): Promise<Answer & { ms: number }> {
    const began = ownTime();
    const answer = await service.call('GET', path, { key });
    return { ...answer, ms: ownTime() - began };
  }

  for (const [index, what] of ['the coordinator', 'another shard'].entries()) {
    it(`leaves no figure partial and loses nothing: ${what}`, async () => {
      const key = await service.key(`killed-${index}`);
      const source = { platform: 'test', currency: 'GBP', timezone: 'Europe/London' };
      expect((await service.call('PUT', '/v1/source', { key, body: source })).status).to.equal(200);
      const range = `from=${month.days[0]?.date}&to=${month.days.at(-1)?.date}`;
      const reads = [
        `/v1/metrics?${range}`,
        `/v1/metrics/daily?${range}`,
        `/v1/orders?${range}`,
        `/v1/products?${range}`,
      ];

      await importMonth(key, async (number) => {
        if (number !== 8) return;
        const { pid } = engines.shards.shards[index] ?? {};
        process.kill(pid ?? 0, 'SIGKILL');
        for (const path of reads) {
          const { status, headers, body, ms } = await timed(path, key);
          expect(status, path).to.equal(503);
          expect(body.errors[0].code).to.equal('store_unavailable');
          expect(headers.get('retry-after')).to.match(/^\d+$/);
          expect(ms, path).to.be.below(TOLD_MS);
        }
      });
      expect((await timed(reads[0] ?? '', key)).status).to.equal(503);

      await engines.shards.restart(index);
      await service.settled();
      const { body } = await service.call('GET', reads[0] ?? '', { key });
      expect(body).to.include(totalsOf(month.days));
      const daily = (await service.call('GET', reads[1] ?? '', { key })).body.days as Record<string, unknown>[];
      const byDate = new Map(daily.map((day) => [day.date, day]));
      for (const day of month.days) expect(byDate.get(day.date), day.date).to.include(day);
      for (const queue of QUEUES) expect(await service.deps.producer.counts(queue)).to.include({ failed: 0 });
    }).timeout(600_000);
  }
});
