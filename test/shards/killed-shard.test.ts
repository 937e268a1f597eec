import { expect } from 'chai';
import { startMonth, TOLD_MS, type MonthOnShards } from '../support/month-on-shards.js';

/** Orders that are pushed before the kill. */
const BEFORE = 400;

describe('a shard that is killed in mid-import', () => {
  let all: MonthOnShards;

  before(async () => {
    all = await startMonth();
  });
  after(() => all.stop());

  for (const [index, what] of ['the coordinator', 'another shard'].entries()) {
    it(`leaves no figure partial and loses nothing: ${what}`, async () => {
      const { engines, service, month, range } = all;
      const key = await all.shopOf(`killed-${index}`);
      await all.push(key, month.orders.slice(0, BEFORE));
      all.signal(index, 'SIGKILL');
      for (const path of ['metrics', 'metrics/daily', 'orders', 'products']) {
        const { status, headers, body, ms } = await all.timed(`/v1/${path}?${range}`, key);
        expect(status, path).to.equal(503);
        expect(body.errors[0].code).to.equal('store_unavailable');
        expect(headers.get('retry-after')).to.match(/^\d+$/);
        expect(ms, path).to.be.below(TOLD_MS);
      }
      await all.push(key, month.orders.slice(BEFORE));
      expect((await all.timed(`/v1/metrics?${range}`, key)).status).to.equal(503);

      await engines.shards.restart(index);
      await service.settled();
      await all.expectExact(key);
    }).timeout(600_000);
  }
});
