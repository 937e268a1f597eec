import { expect } from 'chai';
import { hashKey } from '../../src/domain/keys.js';
import { startMonth, TOLD_MS, type MonthOnShards } from '../support/month-on-shards.js';

/** Days of the month that are pushed before the kill, before the server freezes, and in all. */
const [FIRST, SECOND, LAST] = [3, 6, 9];

describe('a shard that is away', () => {
  let all: MonthOnShards;

  before(async () => {
    all = await startMonth();
  });
  after(() => all.stop());

  /** The name of a shop on a shard. */
  const shopOn = (shard: number, what: string): string => {
    for (let i = 0; ; i++) if (all.service.stores.shards.of(`${what}-${i}`) === shard) return `${what}-${i}`;
  };

  for (const [index, what] of ['the first server', 'the second server'].entries()) {
    it(`leaves its shops without answers, and the figures of the others right and fresh: ${what}, killed, then frozen`, async () => {
      const { engines, service, month, range } = all;
      const [own, other] = [shopOn(index, 'own'), shopOn(1 - index, 'other')];
      const [ownKey, otherKey] = [await all.shopOf(own), await all.shopOf(other)];
      /** Every order of those days; a refund comes after its order. */
      const pushDays = async (from: number, to: number): Promise<void> => {
        const dates = new Set(month.days.slice(from, to).map(({ date }) => date));
        const orders = month.orders.filter(({ placed_at }) => dates.has(placed_at.slice(0, 10)));
        expect(orders.length).to.be.above(100);
        for (const key of [ownKey, otherKey]) await all.push(key, orders);
      };
      await pushDays(0, FIRST);
      await service.settled();

      for (const [signal, from, to] of [
        ['SIGKILL', FIRST, SECOND],
        ['SIGSTOP', SECOND, LAST],
      ] as const) {
        await all.signal(index, signal);
        const paths = ['metrics', 'metrics/daily', 'orders', 'products'];
        // At the same moment: of a server that is frozen each waits for as long as a request may.
        const answers = await Promise.all(paths.map((path) => all.timed(`/v1/${path}?${range}`, ownKey)));
        for (const [i, { status, headers, body, ms }] of answers.entries()) {
          const path = paths[i] ?? '';
          expect(status, path).to.equal(503);
          expect(body.errors[0].code).to.equal('store_unavailable');
          expect(headers.get('retry-after')).to.match(/^\d+$/);
          if (signal === 'SIGKILL') expect(ms, path).to.be.below(TOLD_MS);
        }
        // Pushes of both are accepted; those of the other shop show in its figures.
        await pushDays(from, to);
        await all.untilExact(otherKey, to);
        for (const path of ['metrics/daily', 'orders', 'products', 'ingest/status'])
          expect(
            (await all.timed(`/v1/${path}?${path.startsWith('ingest') ? '' : range}`, otherKey)).status,
            path,
          ).to.equal(200);
        expect((await all.timed(`/v1/metrics?${range}`, ownKey)).status).to.equal(503);

        if (signal === 'SIGKILL') await engines.shards.restart(index);
        else await all.signal(index, 'SIGCONT');
        await service.settled();
        await all.untilExact(ownKey, to);
      }
      await all.expectExact(ownKey, LAST);
      await all.expectExact(otherKey, LAST);
    }).timeout(600_000);
  }

  it('makes no key unknown: one that is not remembered gets 503, and one of another shard is found', async () => {
    const { engines, service } = all;
    /** Keys are random: so many are made that each shard has one. */
    const keys: string[][] = [[], []];
    for (let i = 0; keys.some((own) => own.length === 0); i++) {
      const key = await service.key(`keys-${i}`);
      keys[service.stores.shards.of(hashKey(key))]?.push(key);
    }
    await service.stores.redis.flushall();
    await all.signal(1, 'SIGKILL');
    const statusesOf = (given: readonly string[] = []): Promise<number[]> =>
      Promise.all(given.map(async (key) => (await service.call('GET', '/v1/health', { key })).status));
    expect(new Set(await statusesOf(keys[0]))).to.deep.equal(new Set([200]));
    expect(new Set(await statusesOf(keys[1]))).to.deep.equal(new Set([503]));
    await engines.shards.restart(1);
    expect((await service.call('GET', '/v1/health', { key: keys[1]?.[0] ?? '' })).status).to.equal(200);
  });
});
