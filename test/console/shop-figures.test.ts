import { expect } from 'chai';
import type { ShopFigures } from '../../src/schemas/app.js';
import { useService } from '../support/service.js';
import { joinAs, json, OPERATOR_ENV, refusalOf, signInAsOperator, type Operator } from './support.js';

const today = () => new Date().toISOString().slice(0, 10);

describe('the figures of all shops in the app', () => {
  const service = useService({ env: OPERATOR_ENV });
  let operator: Operator;
  before(async () => {
    operator = await signInAsOperator(service);
  });
  const figuresOf = async (...ids: string[]): Promise<ShopFigures[]> =>
    (await json(await operator.get(`/app/api/figures?shops=${ids.join(',')}`))).shops;

  it('are those of the API for the month of each shop, with what is left out', async () => {
    const shop = await service.shop({ currency: 'EUR', timezone: 'UTC' });
    const line_items = [{ line_id: '1', quantity: '3', unit_price: '33.333333', unit_cost: '10.10' }];
    const sold = { currency: 'EUR', status: 'paid', line_items, total: '99.999999' };
    await shop.call('POST', '/v1/orders', {
      orders: [
        { ...sold, order_id: '1', placed_at: `${today()}T00:00:00Z` },
        { ...sold, order_id: '2', placed_at: `${today().slice(0, 8)}01T00:00:00Z`, payment_gateway: 'card' },
        { ...sold, order_id: '3', placed_at: '2011-01-01T00:00:00Z' },
      ],
    });
    await shop.call('POST', '/v1/costs/expenses', {
      external_id: 'rent',
      name: 'Rent',
      category: 'other',
      amount: '100',
      currency: 'EUR',
      frequency: 'monthly',
      started_on: '2010-01-01',
    });
    const rows = [{ channel: 'Radio', event_date: today(), currency: 'USD', spend: '15' }];
    await shop.call('POST', '/v1/costs/spend', { rows });
    await service.settled();
    const from = `${today().slice(0, 8)}01`;
    const range = `from=${from}&to=${today()}`;
    const { body } = await shop.call('GET', `/v1/metrics?${range}&include=statement,coverage`);
    const { body: daily } = await shop.call('GET', `/v1/metrics/daily?${range}&include=statement`);
    const days = daily.days as { statement: { earnings: string } }[];
    const [figures] = await figuresOf(shop.id);
    const { earnings } = body.statement as { earnings: string };
    const { products_without_cost: none, ...coverage } = body.coverage as Record<string, unknown>;
    expect(none).to.equal(0);
    expect(figures).to.deep.equal({
      shop_id: shop.id,
      from,
      to: today(),
      orders: body.orders,
      revenue: body.revenue,
      earnings,
      by_day: days.map(({ statement }) => statement.earnings),
      coverage,
      left_out: ['USD'],
      last_day_with_orders: null,
    });
  });

  it("tell of an empty month when the last order was, and leave out what is no shop or none of the person's", async () => {
    const old = await service.shop({ currency: 'EUR', timezone: 'Pacific/Kiritimati' });
    const line_items = [{ line_id: '1', quantity: '1', unit_price: '1' }];
    await old.call('POST', '/v1/orders', {
      orders: [
        { order_id: '1', currency: 'EUR', status: 'paid', line_items, total: '1', placed_at: '2011-12-09T12:00:00Z' },
      ],
    });
    await service.settled();
    const never = await service.shop({ currency: 'EUR', timezone: 'UTC' });
    const found = await figuresOf(old.id, 'no-such-shop', never.id);
    expect(found.map((one) => [one.shop_id, one.orders, one.last_day_with_orders])).to.deep.equal([
      [old.id, 0, '2011-12-10'],
      [never.id, 0, null],
    ]);
    const client = await joinAs(service, operator, { role: 'viewer', shops: [never.id] });
    const { shops } = await json(await client.get(`/app/api/figures?shops=${old.id},${never.id}`));
    expect(shops.map((one: ShopFigures) => one.shop_id)).to.deep.equal([never.id]);
  });

  it('refuse more than twenty shops, ids that are none, and who is not signed in', async () => {
    const many = Array.from({ length: 21 }, (_, i) => `s${i}`).join(',');
    for (const query of ['', 'shops=', `shops=${many}`, 'shops=a,..%2Fb', 'shops=a&shops=b']) {
      expect(await refusalOf(await operator.get(`/app/api/figures?${query}`)), query).to.equal('400 invalid_value');
    }
    expect((await fetch(`${service.url}/app/api/figures?shops=a`)).status).to.equal(401);
  });
});
