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
});
