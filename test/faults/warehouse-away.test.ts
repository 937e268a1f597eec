import { expect } from 'chai';
import { startClickHouse } from '../../src/embedded/engines/clickhouse.js';
import { quietLog, startEngines, type Engines } from '../support/engines.js';
import { environmentOf, startService, type Service, type Shop } from '../support/service.js';
import { join } from 'node:path';

const order = (id: string, updatedAt: string, total = '10'): Record<string, unknown> => ({
  order_id: id,
  placed_at: '2026-03-01T12:00:00Z',
  updated_at: updatedAt,
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: '1', quantity: '1', unit_price: total }],
  total,
});

describe('while the warehouse is away', () => {
  let engines: Engines;
  let service: Service;
  let shop: Shop;

  before(async () => {
    engines = await startEngines();
    service = await startService({ base: await environmentOf(engines) });
    shop = await service.shop();
    await shop.call('POST', '/v1/orders', { orders: [order('a', '2026-03-02T00:00:00Z')] });
    await service.settled();
    await engines.clickhouse.stop();
  });
  after(async () => {
    await service.stop();
    await engines.stop();
  });

  it('orders are taken, known versions guard, reads say 503, and all arrives once it is back', async () => {
    const taken = await shop.call('POST', '/v1/orders', {
      orders: [order('b', '2026-03-03T00:00:00Z', '20'), order('c', '2026-03-03T00:00:00Z', '5')],
    });
    expect(taken.status).to.equal(200);
    expect(taken.body).to.include({ accepted: 2 });
    const stale = await shop.call('POST', '/v1/orders', { orders: [order('b', '2026-03-02T00:00:00Z', '1')] });
    expect(stale.body).to.include({ superseded: 1 });

    const read = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01');
    expect(read.status).to.equal(503);
    expect(read.headers.get('retry-after')).to.match(/^\d+$/);
    expect(read.body.errors[0].code).to.equal('store_unavailable');
    expect((await shop.call('GET', '/v1/health')).body).to.include({ status: 'degraded' });
    expect((await service.call('GET', '/healthz')).status).to.equal(200);
    expect((await service.call('GET', '/readyz')).status).to.equal(200);

    const again = await startClickHouse({
      dataDir: join(engines.dataDir, 'clickhouse'),
      httpPort: engines.clickhouse.httpPort,
      log: quietLog,
    });
    await service.settled();
    const figures = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01');
    expect(figures.body).to.include({ orders: 3, revenue: '35.00' });
    await again.stop();
  });
});
