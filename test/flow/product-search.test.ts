import { expect } from 'chai';
import type { Product } from '../../src/schemas/products.js';
import { useService, type Shop } from '../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const WEEK = 'from=2026-03-01&to=2026-03-07';

describe('a list of products', () => {
  const service = useService();

  async function push(shop: Shop, fields: object): Promise<void> {
    const order = { order_id: 'o', currency: 'EUR', status: 'paid', placed_at: '2026-03-01T12:00:00Z', ...fields };
    const { body } = await shop.call('POST', '/v1/orders', { orders: [order] });
    expect(body, JSON.stringify(body)).to.include({ accepted: 1 });
    await service.settled();
  }

  it('is searched, sorted either way, and summed up over all that is found', async () => {
    const shop = await service.shop();
    const sold = (sku: string, price: string, cost?: string, title = sku): object => ({
      line_id: sku,
      sku,
      title,
      quantity: '1',
      unit_price: price,
      ...(cost !== undefined && { unit_cost: cost }),
    });
    await push(shop, {
      total: '77.50',
      shipping: '7.5',
      line_items: [
        sold('MUG-1', '30', '12', 'Red mug'),
        sold('mug-2', '20', '25', 'Blue mug'),
        sold('TEA', '15', undefined, 'Mugwort tea'),
        sold('100%', '5', '5', 'Mint'),
      ],
      refunds: [
        {
          refund_id: 'lines',
          refunded_at: '2026-03-02T12:00:00Z',
          total: '22.25',
          line_items: [{ line_id: 'mug-2', quantity: '1', restock: false }],
        },
        { refund_id: 'bare', refunded_at: '2026-03-03T12:00:00Z', total: '4' },
      ],
    });
    const read = async (query: string): Promise<any> => {
      const { status, body } = await shop.call('GET', `/v1/products?${WEEK}&${query}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    const found = (body: any): unknown[] => body.products.map(({ sku }: Product) => sku);
    const all = await read('');
    expect([all.count, all.totals, all.refunds_without_product]).to.deep.equal([
      4,
      {
        units_sold: '4',
        units_refunded: '1',
        revenue: '70.00',
        refunds: '20.00',
        cogs: '42.00',
        units_without_cost: '1',
        gross_profit: '8.00',
        revenue_without_cost: '15.00',
        gross_margin: null,
        gross_sales: '70.00',
        discounts: '0.00',
      },
      '6.25',
    ]);
    expect(found(await read('sort=gross_profit&order=asc'))).to.deep.equal(['mug-2', '100%', 'TEA', 'MUG-1']);
    expect(found(await read('sort=gross_profit&order=desc'))).to.deep.equal(['MUG-1', 'TEA', '100%', 'mug-2']);
    expect(found(await read('sort=sku&order=desc'))).to.deep.equal(['mug-2', 'TEA', 'MUG-1', '100%']);
    expect(found(await read('sort=sku'))).to.deep.equal(['100%', 'MUG-1', 'TEA', 'mug-2']);
    const mugs = await read('q=mug');
    expect([found(mugs), mugs.count]).to.deep.equal([['MUG-1', 'mug-2', 'TEA'], 3]);
    expect(mugs.totals).to.include({ revenue: '65.00', cogs: '37.00', gross_profit: '8.00' });
    expect(mugs.refunds_without_product).to.equal('6.25');
    for (const q of ['ug', '_', 'MUG_', "'"]) expect((await read(`q=${q}`)).count, q).to.equal(0);
    expect(found(await read(`q=${encodeURIComponent('100%')}`))).to.deep.equal(['100%']);
    const losses = await read('loss=1');
    expect([found(losses), losses.count, losses.totals.gross_profit]).to.deep.equal([['mug-2'], 1, '-25.00']);
    expect(found(await read('loss=1&q=tea'))).to.deep.equal([]);
    const pages = [];
    for (let cursor = ''; ;) {
      const page = await read(`sort=gross_profit&order=asc&limit=1${cursor}`);
      expect([page.count, page.totals]).to.deep.equal([all.count, all.totals]);
      pages.push(...found(page));
      if (page.next === undefined) break;
      cursor = `&cursor=${page.next}`;
    }
    expect(pages).to.deep.equal(['mug-2', '100%', 'TEA', 'MUG-1']);
  });
});
