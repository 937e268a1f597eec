import { expect } from 'chai';
import type { ExplainResponse } from '../../src/schemas/contributions.js';
import { explained } from '../support/explained.js';
import { useService } from '../support/service.js';

type Entry = ExplainResponse['entries'][number];

const RANGE = 'from=2026-03-01&to=2026-03-07';

describe('pages of GET /v1/metrics/explain', () => {
  const service = useService();

  it('continue after their cursor while orders are added, changed and deleted', async () => {
    const shop = await service.shop();
    const order = (id: string, day: string, total: string, rest: object = {}): object => ({
      order_id: id,
      placed_at: `${day}T12:00:00Z`,
      currency: 'EUR',
      status: 'paid',
      total,
      ...rest,
      line_items: [{ line_id: '1', quantity: '1', unit_price: total }],
    });
    const push = async (...orders: object[]): Promise<void> => {
      expect((await shop.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(orders.length);
      await service.settled();
    };
    await push(...[1, 2, 3, 4, 5, 6].map((n) => order(`o${n}`, `2026-03-0${7 - n}`, `${70 - n}`)));
    for (const [run, sort] of ['time', 'amount'].entries()) {
      const first = (await shop.call('GET', `/v1/metrics/explain?figure=revenue&${RANGE}&sort=${sort}&limit=2`)).body;
      expect(first.entries.map(({ order_id }: Entry) => order_id)).to.deep.equal(
        run === 0 ? ['o1', 'o2'] : ['o1', 'o3'],
      );
      const later = { updated_at: `2026-03-2${run}T00:00:00Z` };
      await push(order('o0', '2026-03-07', `${80 + run}`, later), order('o2', '2026-03-05', '1', later));
      const rest = (
        await shop.call('GET', `/v1/metrics/explain?figure=revenue&${RANGE}&sort=${sort}&cursor=${first.next}`)
      ).body;
      const ids = rest.entries.map(({ order_id }: Entry) => order_id);
      expect(ids).to.deep.equal(run === 0 ? ['o3', 'o4', 'o5', 'o6'] : ['o4', 'o5', 'o6', 'o2']);
      if (run === 0) expect(rest.total).not.to.equal(first.total);
      await push(order('o0', '2026-03-07', '1', { updated_at: `2026-03-2${run}T01:00:00Z`, deleted: true }));
    }
  });

  it('continue after spend of the longest channel, and a filter finds it', async () => {
    const shop = await service.shop();
    const rows = ['2026-03-02', '2026-03-03'].map((event_date) => ({
      channel: 'r'.repeat(255),
      event_date,
      currency: 'EUR',
      spend: '5',
    }));
    expect((await shop.call('POST', '/v1/costs/spend', { rows })).body.accepted).to.equal(2);
    await service.settled();
    const query = `figure=ad_spend&${RANGE}&limit=1&channel=custom:${'r'.repeat(255)}`;
    const first = (await shop.call('GET', `/v1/metrics/explain?${query}`)).body;
    const second = (await shop.call('GET', `/v1/metrics/explain?${query}&cursor=${first.next}`)).body;
    const dates = [first, second].flatMap(({ entries }: ExplainResponse) => entries.map(({ date }) => date));
    expect(dates).to.deep.equal(['2026-03-03', '2026-03-02']);
  });

  it('count on the first what all pages list, of lines with and without a cost', async () => {
    const shop = await service.shop();
    await shop.call('PUT', '/v1/products/costs', {
      costs: [
        { sku: 'TEA', unit_cost: '3', effective_from: '2026-02-10' },
        { sku: 'MUG', unit_cost: '5' },
        { sku: 'LATE', unit_cost: '7', effective_from: '2026-03-04' },
      ],
    });
    const SKUS = ['TEA', 'MUG', 'LATE', 'NONE', undefined];
    const order = (id: string, day: string, backOn: string): object => ({
      order_id: id,
      placed_at: `${day}T12:00:00Z`,
      currency: 'EUR',
      status: 'paid',
      total: '59.5',
      line_items: [
        ...SKUS.map((sku, i) => ({ line_id: `l${i}`, quantity: '1', unit_price: '10', ...(sku && { sku }) })),
        { line_id: 'own', quantity: '1', unit_price: '10', sku: 'NONE', unit_cost: '1', line_discount: '0.5' },
      ],
      refunds: [
        {
          refund_id: 'r',
          refunded_at: `${backOn}T12:00:00Z`,
          total: '59.5',
          line_items: [...SKUS.keys(), 'own'].map((key) => ({
            line_id: key === 'own' ? key : `l${key}`,
            quantity: '1',
            restock: true,
          })),
        },
      ],
    });
    const { body: pushed } = await shop.call('POST', '/v1/orders', {
      orders: [
        order('early', '2026-02-01', '2026-03-02'),
        order('before', '2026-02-20', '2026-03-03'),
        order('same', '2026-03-02', '2026-03-02'),
        order('within', '2026-03-05', '2026-03-06'),
        order('after', '2026-03-07', '2026-03-09'),
      ],
    });
    expect(pushed.accepted, JSON.stringify(pushed)).to.equal(5);
    await service.settled();
    // Sold on 2, 5 and 7 March: TEA, MUG and the line with its own cost each, and LATE on the last two. Restocked: of the orders of
    // 1 and 20 February MUG and its own, of the later TEA too; the same as sold of those of 2 and 5 March.
    const lines = { sold: 3 * 3 + 2, restocked: 2 + 3 + 3 + 4 };
    for (const [range, figure, count] of [
      [RANGE, 'cogs', lines.sold + lines.restocked],
      [RANGE, 'gross_sales', 3 * 6],
      [RANGE, 'discounts', 3],
      ['from=2026-02-01&to=2026-03-01', 'cogs', 2 + 3],
      ['from=2026-03-08&to=2026-03-09', 'cogs', 4],
    ] as const) {
      const all = await explained(shop, `figure=${figure}&${range}`, 1);
      expect([all.count, all.entries.length], `${figure} ${range}`).to.deep.equal([count, count]);
    }
  });

  it('leave over the same of lines of parts of a unit, beside whole ones, whatever the size of a page', async () => {
    const shop = await service.shop();
    const lines = ['0.5', '0.5', '1'].map((quantity, i) => ({
      line_id: `l${i}`,
      quantity,
      unit_price: quantity === '1' ? '1' : '0.000001',
      unit_cost: '0.000003',
    }));
    const { body: pushed } = await shop.call('POST', '/v1/orders', {
      orders: ['a', 'b', 'c'].map((id) => ({
        order_id: id,
        placed_at: '2026-03-02T12:00:00Z',
        currency: 'EUR',
        status: 'paid',
        total: '1.000001',
        line_items: lines,
      })),
    });
    expect(pushed.accepted, JSON.stringify(pushed)).to.equal(3);
    await service.settled();
    for (const limit of [1, 4, 250]) {
      for (const [figure, total] of [
        ['gross_sales', '3.000003'],
        ['cogs', '0.000018'],
      ]) {
        const all = await explained(shop, `figure=${figure}&${RANGE}`, limit);
        const rest = all.entries.find(({ kind }) => kind === 'rounding');
        expect([all.total, all.count, all.entries.length, rest?.amount]).to.deep.equal([total, 10, 10, '-0.000003']);
      }
    }
  });
});
