import { expect } from 'chai';
import { hashKey } from '../../src/domain/keys.js';
import { writeIngestLog } from '../../src/warehouse/queries/ingest-log.js';
import { startService, useService } from '../support/service.js';

describe('connections', () => {
  const service = useService();

  const connections = async (key: string) => (await service.call('GET', '/v1/connections', { key })).body.connections;

  it('has a store and a pixel that are not connected before registration', async () => {
    const key = await service.key('shop-without-connections', 'publishable');
    expect(await connections(key)).to.deep.equal([
      { channel: 'store', status: 'not_connected' },
      { channel: 'pixel', status: 'not_connected' },
    ]);
  });

  it('follows registration, pushes, revoked keys and a closed shop', async () => {
    const shop = await service.shop();
    const reader = await service.key(shop.id, 'publishable');
    const [registered] = await connections(reader);
    expect(registered).to.deep.include({ channel: 'test', status: 'connected', currency: 'EUR' });
    expect(registered).not.to.have.any.keys('shop_domain', 'ad_accounts', 'last_synced_at');

    const received_at = Date.now() - 5_000;
    const log = { shop_id: shop.id, received_at, accepted: 1, rejected: 0, superseded: 0, errors: [] };
    await writeIngestLog(service.stores, [
      { ...log, kind: 'orders', batch_id: `${shop.id}-1` },
      { ...log, kind: 'events', batch_id: `${shop.id}-2` },
    ]);
    const [store, pixel] = await connections(reader);
    expect(store.last_synced_at).to.equal(new Date(received_at).toISOString());
    expect(pixel).to.deep.equal({
      channel: 'pixel',
      status: 'connected',
      connected_at: new Date(received_at).toISOString(),
      last_synced_at: new Date(received_at).toISOString(),
    });

    const keys = await service.stores.keys.list(shop.id);
    const secret = keys.find(({ keyHash }) => keyHash === hashKey(shop.key));
    await service.stores.keys.revoke(secret?.keyId ?? '');
    expect((await connections(reader))[0].status).to.equal('needs_reauth');
    expect((await service.call('GET', '/v1/source', { key: reader })).body.status).to.equal('needs_reauth');

    await service.stores.sources.setClosed(shop.id, Date.now());
    expect((await connections(reader))[0].status).to.equal('uninstalled');
    expect((await service.call('GET', '/v1/source', { key: reader })).body.status).to.equal('uninstalled');
  });

  it('answers 503 when the warehouse is away', async () => {
    const shop = await service.shop();
    const cut = await startService({ workers: false, env: { CLICKHOUSE_URL: 'http://127.0.0.1:1' } });
    try {
      const answer = await cut.call('GET', '/v1/connections', { key: shop.key });
      expect([answer.status, answer.body.errors[0].code]).to.deep.equal([503, 'store_unavailable']);
      expect((await cut.call('GET', '/v1/source', { key: shop.key })).status).to.equal(200);
    } finally {
      await cut.stop();
    }
  });
});
