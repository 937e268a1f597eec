import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { askUntilFresh } from '../../support/ask-until-fresh.js';
import { paidOrder } from '../../support/paid-order.js';
import { useService } from '../../support/service.js';

const SECONDS = 20;
/** 18 to 24 were seen: some loops come round once in a minute. */
const MOST = 30;

/** Commands by name that Redis has done, those of scripts too. */
async function commandsOf(redis: Redis): Promise<Map<string, number>> {
  const info = await redis.info('commandstats');
  return new Map(
    Array.from(info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm), ([, name = '', calls]) => [name, Number(calls)]),
  );
}

describe('a service with nothing to do', () => {
  const service = useService({ alerts: true });

  it('asks Redis for at most 30 commands a second, and does work that comes at once', async () => {
    const shop = await service.shop();
    const order = (id: string) => paidOrder(id, { line_items: [{ line_id: '1', quantity: '1', unit_price: '10' }] });
    await shop.call('POST', '/v1/orders', { orders: [order('a')] });
    await service.settled();
    await sleep(10_000); // what rests after work is forgotten after 5 s
    const { redis } = service.stores;
    const [before, since] = [await commandsOf(redis), performance.now()];
    await sleep(SECONDS * 1_000);
    const [after, seconds] = [await commandsOf(redis), (performance.now() - since) / 1_000];
    const done = new Map([...after].map(([name, calls]) => [name, calls - (before.get(name) ?? 0)]));
    const all = [...done.values()].reduce((sum, calls) => sum + calls, 0);
    const most = [...done].filter(([, calls]) => calls > 0).sort(([, a], [, b]) => b - a);
    expect(all / seconds, JSON.stringify(most)).to.be.at.most(MOST);

    const { body } = await shop.call('POST', '/v1/orders', { orders: [order('b')] });
    const path = `/v1/metrics?from=2026-03-01&to=2026-03-01&after=${String(body.receipt)}`;
    const answer = await askUntilFresh(() => shop.call('GET', path));
    expect(answer.body.orders).to.equal(2);
  });
});
