import { expect } from 'chai';
import { analystsOf } from '../support/bi-proxy.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

const MOST = '999999999999999.999999';

describe('views of bi over amounts that nobody means', () => {
  const service = useService();

  it('answer, whatever one order costs', async () => {
    const shop = await service.shop();
    const rows = analystsOf(service.stores, sharedBiProxy);
    const line_items = Array.from({ length: 500 }, (_, i) => ({
      line_id: String(i),
      quantity: MOST,
      unit_price: '0',
      unit_cost: MOST,
      sku: `sku-${i}`,
    }));
    const order = {
      order_id: 'absurd',
      currency: 'EUR',
      status: 'paid',
      total: '0',
      line_items,
      customer: { id: 'c' },
    };
    const refunds = [
      {
        refund_id: 'r',
        refunded_at: '2026-03-02T12:00:00Z',
        total: MOST,
        line_items: line_items.map(({ line_id }) => ({ line_id, quantity: MOST, restock: true })),
      },
    ];
    const placed_at = '2026-03-01T12:00:00Z';
    const { body } = await shop.call('POST', '/v1/orders', {
      orders: [
        { ...order, placed_at },
        { ...order, order_id: 'returned', placed_at, refunds, gateway_fee: MOST, fulfillment_cost: MOST },
      ],
    });
    expect(body.accepted, JSON.stringify(body)).to.equal(2);
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'card', percent: MOST, fixed: MOST }],
    });
    await shop.call('POST', '/v1/orders', {
      orders: [
        {
          ...order,
          order_id: 'charged',
          placed_at,
          payment_gateway: 'card',
          total: MOST,
          line_items: [{ line_id: '1', quantity: '1', unit_price: MOST, unit_cost: MOST }],
        },
      ],
    });
    await service.settled();
    const views = await rows(shop, `SELECT name FROM system.tables WHERE database = 'bi' ORDER BY name`);
    expect(views.length).to.be.greaterThan(15);
    const failed: string[] = [];
    for (const { name } of views) {
      await rows(shop, `SELECT * FROM bi.${String(name)}`).catch((error: unknown) =>
        failed.push(`${String(name)}: ${String(error).slice(0, 200)}`),
      );
    }
    expect(failed).to.deep.equal([]);
    const costs = await rows(
      shop,
      `SELECT order_id, cogs IS NULL AS hidden, cogs > 0 AS shown, profit IS NULL AS unknown FROM bi.order_profit ORDER BY order_id`,
    );
    expect(costs.map((row) => Object.values(row))).to.deep.equal([
      ['absurd', 1, null, 1],
      ['charged', 0, 1, 0],
      ['returned', 0, 0, 0],
    ]);
    const [charged] = await rows(shop, "SELECT gateway_fees FROM bi.order_profit WHERE order_id = 'charged'");
    const most = 10n ** 21n - 1n; // MOST in millionths
    const rounded = (most * most + most * 10n ** 8n + 10n ** 8n / 2n) / 10n ** 8n;
    expect(String(charged?.gateway_fees).replace('.', '')).to.equal(String(rounded));
  });
});
