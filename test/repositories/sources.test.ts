import { expect } from 'chai';
import { createSourceState } from '../../src/redis/sources.js';
import { createSourceRegistry } from '../../src/repositories/sources.js';
import { createSourceStore } from '../../src/warehouse/queries/sources.js';
import { useService } from '../support/service.js';

describe('the registry of sources', () => {
  const service = useService({ workers: false });

  it('keeps what was registered while a look-up was on its way, not what the look-up has read', async () => {
    const shop = await service.shop({ currency: 'EUR' });
    const { redis, takeStamps, warehouse } = service.stores;
    await redis.del(`source:{${shop.id}}`); // as after a loss of Redis

    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let hasRead: () => void = () => undefined;
    const read = new Promise<void>((resolve) => (hasRead = resolve));
    const store = createSourceStore(warehouse);
    const slow = createSourceRegistry({
      shardOf: () => 0,
      state: createSourceState(redis),
      store: {
        ...store,
        async find(shopId) {
          const found = await store.find(shopId);
          hasRead();
          await held;
          return found;
        },
      },
      takeStamps,
      now: Date.now,
    });
    const looked = slow.find(shop.id);
    await read;
    const edited = await shop.call('PUT', '/v1/source', { platform: 'test', currency: 'GBP', timezone: 'UTC' });
    expect(edited.status).to.equal(200);
    goOn();
    expect((await looked)?.currency).to.equal('GBP');
    expect((await shop.call('GET', '/v1/source')).body.currency).to.equal('GBP');
  });

  it('refuses a currency that has ended, but of a shop that has it', async () => {
    const shop = await service.shop({ currency: 'EUR' });
    const put = () => shop.call('PUT', '/v1/source', { platform: 'test', currency: 'BGN', timezone: 'Europe/Sofia' });
    const refused = await put();
    expect(refused.status).to.equal(400);
    expect(refused.body.errors[0]).to.deep.include({ code: 'invalid_value', field: 'currency' });
    expect(refused.body.errors[0].message).to.contain('2025-12-31').and.contain('"EUR"');

    // As it was registered before the end of the year.
    await service.stores.redis.hset(`source:{${shop.id}}`, 'currency', 'BGN');
    const kept = await put();
    expect(kept.body).to.deep.include({ currency: 'BGN', timezone: 'Europe/Sofia' });
  });
});
