import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { paidOrder as order } from '../support/paid-order.js';
import { startService, useService, type Service } from '../support/service.js';
import { collectedEvent } from '../support/collected-event.js';

const event = (fields: object = {}) => collectedEvent({ anon_id: 'v', ...fields });

describe('pushes at the same time', () => {
  const service = useService({ env: { RATE_LIMIT_COLLECT_ADDRESS: '1000' } });

  it('of events are stored, each event once', async () => {
    const shopId = `concurrent-${randomUUID().slice(0, 8)}`;
    const token = await service.key(shopId, 'pixel');
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        service.call('POST', '/v1/collect', { body: { token, events: [event(), event({ type: 'add_to_cart' })] } }),
      ),
    );
    expect(answers.map(({ status }) => status)).to.satisfy((all: number[]) => all.every((status) => status === 204));
    await service.settled();
    const [row] = await service.stores.warehouse.query<{ rows: string; ids: string }>(
      'SELECT count() AS rows, uniqExact(event_id) AS ids FROM events WHERE shop_id = {shop:String}',
      { shop: shopId },
    );
    expect(row).to.deep.equal({ rows: '400', ids: '400' });
  });

  it('of orders are answered each by its own results, and every order counts once', async () => {
    const shop = await service.shop();
    const pushes = Array.from({ length: 20 }, (_, i) => ({
      orders: [order(`a${i}`), order('same'), { order_id: `x${i}` }],
    }));
    const answers = await Promise.all(pushes.map((push) => shop.call('POST', '/v1/orders', push)));
    answers.forEach(({ status, headers, body }, i) => {
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/json; charset=utf-8']);
      expect([body.accepted, body.rejected]).to.deep.equal([2, 1]);
      const ids = body.results.map((result: { order_id: string }) => result.order_id);
      expect(ids).to.deep.equal([`a${i}`, 'same', `x${i}`]);
    });
    await service.settled();
    const { body } = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01');
    expect(body).to.include({ orders: 21, revenue: '210.00' });
  });
});

describe('two API processes', () => {
  it('know of a source that was edited through the other at once, though each remembers the one before', async () => {
    const one = await startService({ workers: false });
    const other = await startService({ workers: false });
    try {
      const shop = await one.shop({ currency: 'EUR' });
      const push = async (service: Service): Promise<string> =>
        (
          await service.call('POST', '/v1/orders', {
            key: shop.key,
            body: { orders: [order('a', { currency: 'GBP' })] },
          })
        ).body.results[0].outcome;
      expect([await push(one), await push(other)]).to.deep.equal(['rejected', 'rejected']);
      await shop.call('PUT', '/v1/source', { platform: 'test', currency: 'GBP', timezone: 'UTC' });
      expect([await push(other), await push(one)]).to.deep.equal(['accepted', 'accepted']);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });
});
