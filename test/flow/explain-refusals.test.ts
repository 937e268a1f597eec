import { expect } from 'chai';
import { EXPLAINABLE_FIGURES, PARTS } from '../../src/domain/metrics/figure-list.js';
import { useService, type Answer, type Shop } from '../support/service.js';

const RANGE = 'from=2026-03-01&to=2026-03-07';

describe('GET /v1/metrics/explain refuses', () => {
  const service = useService();
  let shop: Shop;

  before(async () => {
    shop = await service.shop();
    const line = { quantity: '1', unit_price: '10', unit_cost: '4', sku: 'TEA' };
    const order = { order_id: 'a', placed_at: '2026-03-02T12:00:00Z', currency: 'EUR', status: 'paid', total: '20' };
    const lines = [
      { ...line, line_id: 'x' },
      { ...line, line_id: 'y' },
    ];
    const { body } = await shop.call('POST', '/v1/orders', { orders: [{ ...order, line_items: lines }] });
    expect(body, JSON.stringify(body)).to.include({ accepted: 1 });
    await service.settled();
  });

  const get = (query: string): Promise<Answer> => shop.call('GET', `/v1/metrics/explain?${RANGE}&${query}`);
  const faults = async (query: string): Promise<unknown> => {
    const { status, body } = await shop.call('GET', `/v1/metrics/explain?${query}`);
    expect(status).to.equal(400);
    return body.errors.map(({ code, field }: { code: string; field: string }) => [code, field]);
  };

  it('a figure that is absent or no sum, and says which ones are', async () => {
    expect(await faults('')).to.deep.equal([['missing_field', 'figure']]);
    const { body } = await get('figure=orders');
    expect(body.errors[0].message).to.equal(`figure must be one of ${EXPLAINABLE_FIGURES.join(', ')}.`);
  });

  it('all faults of a query at once', async () => {
    const query = 'figure=aov&from=2026-13-01&sort=size&limit=251&sku=&cursor=x&what=1';
    expect(await faults(query)).to.deep.equal([
      ['invalid_value', 'figure'],
      ['invalid_range', 'from'],
      ['invalid_value', 'sort'],
      ['invalid_value', 'sku'],
      ['invalid_value', 'limit'],
      ['invalid_value', 'cursor'],
      ['unknown_field', 'what'],
    ]);
  });

  it('a filter that no entry of the figure could meet', async () => {
    expect(await faults('figure=revenue&sku=TEA')).to.deep.equal([['invalid_value', 'sku']]);
    const all = await faults('figure=operating_expenses&sku=TEA&channel=email&gateway=x');
    expect(all).to.deep.equal([
      ['invalid_value', 'sku'],
      ['invalid_value', 'channel'],
      ['invalid_value', 'gateway'],
    ]);
  });

  it('a cursor of another figure, range, order, filter or shop, and one that was made up', async () => {
    const { next } = (await get('figure=cogs&limit=1')).body;
    expect((await get(`limit=2&figure=cogs&cursor=${next}`)).status).to.equal(200);
    const cursor = [['invalid_value', 'cursor']];
    expect(await faults(`figure=revenue&${RANGE}&cursor=${next}`)).to.deep.equal(cursor);
    expect(await faults(`figure=cogs&from=2026-03-02&to=2026-03-07&cursor=${next}`)).to.deep.equal(cursor);
    expect(await faults(`figure=cogs&${RANGE}&sort=amount&cursor=${next}`)).to.deep.equal(cursor);
    expect(await faults(`figure=cogs&${RANGE}&sku=TEA&cursor=${next}`)).to.deep.equal(cursor);
    const [query, place] = JSON.parse(Buffer.from(next, 'base64url').toString()) as [string, object];
    for (const part of [
      { item: -1 },
      { part: PARTS.length },
      { day: 20_000 },
      { from: 20_000 },
      { to: 65_379 },
      { amount: '1e9' },
      { id: '\ud800' },
      { sub: 'x'.repeat(300) },
      { id: ['a'] },
      { what: 1 },
    ]) {
      const made = Buffer.from(JSON.stringify([query, { ...place, ...part }])).toString('base64url');
      expect(await faults(`figure=cogs&${RANGE}&cursor=${made}`), JSON.stringify(part)).to.deep.equal(cursor);
    }
    expect(await faults(`figure=cogs&${RANGE}&cursor=${'A'.repeat(9_000)}`)).to.deep.equal(cursor);
    const other = await service.shop();
    const answer = await other.call('GET', `/v1/metrics/explain?figure=cogs&${RANGE}&cursor=${next}`);
    expect(answer.body.errors[0].field).to.equal('cursor');
  });

  it('a pixel token', async () => {
    const key = await service.key(shop.id, 'pixel');
    expect((await service.call('GET', '/v1/metrics/explain?figure=cogs', { key })).status).to.equal(403);
  });
});
