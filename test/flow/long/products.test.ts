import { expect } from 'chai';
import type { Product } from '../../../src/schemas/products.js';
import { useService, type Answer, type Shop } from '../../support/service.js';

const FIRST_DAY = 'from=2026-03-01&to=2026-03-01';
const WEEK = 'from=2026-03-01&to=2026-03-07';

describe('products', () => {
  const service = useService();

  const line = (line_id: string, fields: object): object => ({ line_id, quantity: '1', unit_price: '10', ...fields });
  const order = (fields: object): object => ({
    order_id: 'o',
    currency: 'EUR',
    status: 'paid',
    placed_at: '2026-03-01T12:00:00Z',
    ...fields,
  });

  async function push(shop: Shop, ...orders: object[]): Promise<void> {
    const { body } = await shop.call('POST', '/v1/orders', { orders });
    expect(body, JSON.stringify(body)).to.include({ accepted: orders.length });
    await service.settled();
  }

  const list = async (shop: Shop, query: string): Promise<Product[]> =>
    (await shop.call('GET', `/v1/products?${query}`)).body.products as Product[];

  it('show margins after line discounts and refunds, and the newest title', async () => {
    const shop = await service.shop();
    await push(
      shop,
      order({
        total: '47',
        line_items: [
          line('1', { sku: 'MUG', quantity: '4', line_discount: '3', unit_cost: '2.5', title: 'Mug' }),
          line('2', { title: 'Gift wrap' }),
        ],
        refunds: [
          {
            refund_id: 'r',
            refunded_at: '2026-03-01T13:00:00Z',
            total: '10',
            line_items: [{ line_id: '1', quantity: '1', restock: true }],
          },
        ],
      }),
      order({
        order_id: 'p',
        placed_at: '2026-03-02T12:00:00Z',
        total: '10',
        line_items: [line('1', { sku: 'MUG', title: 'Big mug' })],
      }),
    );
    expect(await list(shop, FIRST_DAY)).to.deep.equal([
      {
        sku: 'MUG',
        title: 'Mug',
        units_sold: '4',
        units_refunded: '1',
        revenue: '37.00',
        refunds: '9.25',
        cogs: '7.50',
        units_without_cost: '0',
        gross_profit: '20.25',
        revenue_without_cost: '0.00',
        gross_margin: '0.72973',
        gross_sales: '40.00',
        discounts: '3.00',
      },
      {
        sku: null,
        title: 'Gift wrap',
        units_sold: '1',
        units_refunded: '0',
        revenue: '10.00',
        refunds: '0.00',
        cogs: '0.00',
        units_without_cost: '1',
        gross_profit: '10.00',
        revenue_without_cost: '10.00',
        gross_margin: null,
        gross_sales: '10.00',
        discounts: '0.00',
      },
    ]);
    const [mug] = await list(shop, `${WEEK}&sort=revenue&limit=1`);
    expect(mug).to.include({ title: 'Big mug', units_sold: '5', units_without_cost: '1' });
    const unpriced = await list(shop, `${WEEK}&missing_cost=true`);
    expect(unpriced.map(({ sku }) => sku)).to.deep.equal([null, 'MUG']);
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '3' }] });
    await service.settled();
    expect((await list(shop, `${WEEK}&missing_cost=true`)).map(({ sku }) => sku)).to.deep.equal([null]);
  });

  it('come to nothing when lines sold at a discount are returned, at once or in parts', async () => {
    const shop = await service.shop();
    const back = (refund_id: string, line_id: string, quantity: string): object => ({
      refund_id,
      refunded_at: '2026-03-02T12:00:00Z',
      total: '1',
      line_items: [{ line_id, quantity, restock: true }],
    });
    await push(
      shop,
      order({
        total: '65',
        line_items: [
          line('1', { sku: 'MUG', quantity: '2', line_discount: '4' }),
          line('2', { sku: 'TEA', quantity: '3', line_discount: '1' }),
          line('3', { sku: 'FREE', quantity: '2', line_discount: '20' }),
          line('4', { sku: 'NONE', quantity: '0' }),
        ],
        shipping: '20',
        refunds: [
          back('a', '1', '2'),
          back('b', '2', '1'),
          back('c', '2', '1'),
          back('d', '2', '1'),
          back('e', '3', '1'),
          back('f', '4', '1'),
        ],
      }),
    );
    const products = await list(shop, `${WEEK}&sort=sku`);
    expect(products.map(({ sku, revenue, refunds }) => [sku, revenue, refunds])).to.deep.equal([
      ['FREE', '0.00', '0.00'],
      ['MUG', '16.00', '16.00'],
      ['NONE', '0.00', '10.00'],
      ['TEA', '29.00', '29.00'],
    ]);
  });

  it('drop a SKU that left a day, and an order that no longer counts', async () => {
    const shop = await service.shop();
    const skus = async (): Promise<unknown[]> => (await list(shop, WEEK)).map(({ sku }) => sku);
    const at = (second: number): object => ({ updated_at: `2026-03-01T12:00:0${second}Z`, total: '10' });
    await push(shop, order({ ...at(1), line_items: [line('1', { sku: 'A' })] }));
    expect(await skus()).to.deep.equal(['A']);
    await push(shop, order({ ...at(2), line_items: [line('1', { sku: 'B' })] }));
    expect(await skus()).to.deep.equal(['B']);
    await push(shop, order({ ...at(3), placed_at: '2026-03-02T12:00:00Z', line_items: [line('1', { sku: 'B' })] }));
    expect(await list(shop, FIRST_DAY)).to.deep.equal([]);
    expect(await skus()).to.deep.equal(['B']);
    await push(shop, order({ ...at(4), status: 'voided', line_items: [line('1', { sku: 'B' })] }));
    expect(await skus()).to.deep.equal([]);
  });

  it('refuse a cursor of another query, of another shop, or made up', async () => {
    const [shop, other] = await Promise.all([service.shop(), service.shop()]);
    await push(shop, order({ total: '20', line_items: [line('1', { sku: 'A' }), line('2', { sku: 'B' })] }));
    const { next } = (await shop.call('GET', `/v1/products?${WEEK}&limit=1`)).body as { next: string };
    const refused = async (who: Shop, query: string): Promise<void> => {
      const { status, body }: Answer = await who.call('GET', `/v1/products?${query}`);
      expect(status, query).to.equal(400);
      expect(body.errors, query).to.have.length(1);
      expect(body.errors[0]).to.include({ code: 'invalid_value', field: 'cursor' });
    };
    await refused(shop, `${WEEK}&sort=sku&cursor=${next}`);
    await refused(shop, `${WEEK}&order=asc&cursor=${next}`);
    await refused(shop, `${WEEK}&q=A&cursor=${next}`);
    await refused(shop, `${FIRST_DAY}&cursor=${next}`);
    await refused(shop, `${WEEK}&missing_cost=1&cursor=${next}`);
    await refused(other, `${WEEK}&cursor=${next}`);
    await refused(shop, `${WEEK}&cursor=x`);
    const [id, place] = JSON.parse(Buffer.from(next, 'base64url').toString()) as [string, object];
    const forgeries = [
      { to: 1e9 },
      { to: 0.5 },
      { to: 0 },
      { from: -1 },
      { from: 0 },
      { value: '1e9' },
      { value: 'NaN' },
      { value: '' },
      { sku: 'x'.repeat(256) },
      { sku: null },
      { count: -1 },
      { totals: {} },
      { refunds_without_product: 1 },
    ];
    for (const forgery of forgeries) {
      const forged = Buffer.from(JSON.stringify([id, { ...place, ...forgery }])).toString('base64url');
      await refused(shop, `${WEEK}&cursor=${forged}`);
    }
    const rest = await shop.call('GET', `/v1/products?${WEEK}&limit=1&cursor=${next}`);
    expect(rest.body.products.map(({ sku }: Product) => sku)).to.deep.equal(['B']);
    expect(rest.body).not.to.have.property('next');
  });

  it('report all faults of a query at once', async () => {
    const shop = await service.shop();
    const { status, body } = await shop.call(
      'GET',
      '/v1/products?from=x&sort=price&missing_cost=yes&limit=0&page=2&order=up&loss=2&q=',
    );
    expect(status).to.equal(400);
    expect(body.errors.map(({ code, field }: Record<string, string>) => `${code} ${field}`).sort()).to.deep.equal([
      'invalid_range from',
      'invalid_value limit',
      'invalid_value loss',
      'invalid_value missing_cost',
      'invalid_value order',
      'invalid_value q',
      'invalid_value sort',
      'unknown_field page',
    ]);
  });

  it('of two shops with the same SKUs stay apart', async () => {
    const [shop, other] = await Promise.all([service.shop(), service.shop()]);
    await push(shop, order({ total: '10', line_items: [line('1', { sku: 'A' })] }));
    await push(other, order({ total: '30', line_items: [line('1', { sku: 'A', quantity: '3' })] }));
    await other.call('PUT', '/v1/products/costs', { costs: [{ sku: 'A', unit_cost: '3' }] });
    await service.settled();
    expect((await list(shop, WEEK))[0]).to.include({ units_sold: '1', cogs: '0.00', units_without_cost: '1' });
    expect((await list(other, WEEK))[0]).to.include({ units_sold: '3', cogs: '9.00', units_without_cost: '0' });
  });
});
