import { expect } from 'chai';
import { rebuildRollups } from '../../src/warehouse/queries/rollups.js';
import { analystOf } from '../support/bi-proxy.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

describe('evidence in the views of bi', () => {
  const service = useService();

  it('is the proved part of each credit, by order and by day', async () => {
    const shop = await service.shop();
    const { warehouse, takeStamps } = service.stores;
    const rows = await analystOf(shop.id, await sharedBiProxy(), warehouse);
    const placed_day = '2026-03-01';
    const order = {
      order_id: 'o',
      placed_at: `${placed_day}T12:00:00Z`,
      currency: 'EUR',
      status: 'paid',
      total: '100',
    };
    const line_items = [{ line_id: '1', quantity: '1', unit_price: '100' }];
    const refunds = [{ refund_id: 'r', refunded_at: `${placed_day}T13:00:00Z`, total: '10' }];
    await shop.call('POST', '/v1/orders', { orders: [{ ...order, line_items, refunds }] });
    await service.settled();
    await warehouse.insert('order_attribution', [
      {
        shop_id: shop.id,
        order_id: 'o',
        placed_day,
        version: await takeStamps(),
        touches: 3,
        last_touch: 'email',
        last_evidence: 'claimed',
        first_touch: 'google_ads',
        first_evidence: 'proved',
        'linear.channel': ['email', 'google_ads', 'google_ads'],
        'linear.evidence': ['claimed', 'ambiguous', 'proved'],
        'linear.campaign': ['', '', ''],
        'linear.touches': [1, 1, 1],
      },
    ]);
    await rebuildRollups(warehouse, [{ shopId: shop.id, day: placed_day }], takeStamps, { all: true });

    const byOrder = `SELECT model, channel, touches, proved_touches, toString(revenue) AS revenue,
      toString(proved_revenue) AS proved FROM bi.attribution ORDER BY model, channel`;
    expect((await rows(byOrder)).map((row) => Object.values(row as object).join(' '))).to.deep.equal([
      'first_touch google_ads 1 1 100 100',
      'last_touch email 1 0 100 0',
      'linear email 1 0 33.333333 0',
      'linear google_ads 2 1 66.666667 33.333333',
    ]);
    const byDay = `SELECT model, channel, toString(proved_orders) AS orders, toString(proved_revenue) AS revenue,
      toString(proved_net_revenue) AS net FROM bi.daily_channels ORDER BY model, channel`;
    expect((await rows(byDay)).map((row) => Object.values(row as object).join(' '))).to.deep.equal([
      'first_touch google_ads 1 100 90',
      'last_touch email 0 0 0',
      'linear email 0 0 0',
      'linear google_ads 0.333333 33.333333 30',
    ]);
  });
});
