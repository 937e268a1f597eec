import { expect } from 'chai';
import { analystsOf } from '../support/bi-proxy.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

describe('views of the history in bi', () => {
  const service = useService();
  let rows: ReturnType<typeof analystsOf>;

  before(() => {
    rows = analystsOf(service.stores, sharedBiProxy);
  });

  it('tell what a day came to at any moment, and how it changed once it was over', async () => {
    const shop = await service.shop();
    const push = async (total: string, second: number): Promise<void> => {
      const { status, body } = await shop.call('POST', '/v1/orders', {
        orders: [
          {
            order_id: 'o',
            currency: 'EUR',
            status: 'paid',
            total,
            placed_at: '2026-03-01T12:00:00Z',
            updated_at: `2026-03-01T12:00:0${second}Z`,
            line_items: [{ line_id: '1', quantity: '1', unit_price: total, sku: 'A', unit_cost: '2' }],
          },
        ],
      });
      expect(body, String(status)).to.include({ accepted: 1 });
      await service.settled();
    };
    const row = { channel: 'email', event_date: '2026-03-01', currency: 'EUR' };
    await push('10', 1);
    await shop.call('POST', '/v1/costs/spend', { rows: [{ ...row, spend: '4' }] });
    await service.settled();
    await push('7.5', 2);
    const changes = await rows(
      shop,
      `SELECT figure, before, after, causes[1] AS cause FROM bi.restatements
       WHERE figure IN ('revenue', 'ad_spend', 'cogs') ORDER BY at, figure`,
    );
    expect(changes).to.deep.equal([
      { figure: 'cogs', before: '0', after: '2', cause: 'late_order' },
      { figure: 'revenue', before: '0', after: '10', cause: 'late_order' },
      { figure: 'ad_spend', before: '0', after: '4', cause: 'spend' },
      { figure: 'revenue', before: '10', after: '7.5', cause: 'edited_order' },
    ]);
    const then = await rows(
      shop,
      `SELECT sum(h.revenue) AS revenue, sum(h.cogs) AS cogs, sum(h.ad_spend) AS ad_spend, sum(h.orders) AS orders
       FROM bi.daily_metrics_history AS h, (SELECT max(at) AS t FROM bi.restatements WHERE figure = 'ad_spend') AS m
       WHERE h.valid_from <= m.t AND (h.valid_until IS NULL OR h.valid_until > m.t)`,
    );
    expect(then).to.deep.equal([{ revenue: '10', cogs: '2', ad_spend: '4', orders: '1' }]);

    const all = () =>
      Promise.all(
        ['daily_metrics_history', 'restatements'].map((name) => rows(shop, `SELECT * FROM bi.${name} ORDER BY ALL`)),
      );
    const before = await all();
    expect(before.map(({ length }) => length)).to.deep.equal([3, before[1]?.length]);
    // A rebuild that finds the same, and one that began before all others.
    for (const changed of ['computed_at + 1 AS computed_at', "toUInt64(5) AS computed_at, map('revenue', 1) AS sums"])
      await service.stores.warehouse.command(
        `INSERT INTO daily_orders SELECT * REPLACE (${changed}) FROM daily_orders FINAL WHERE shop_id = '${shop.id}'`,
      );
    expect(await all()).to.deep.equal(before);
  });
});
