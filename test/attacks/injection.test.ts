import { expect } from 'chai';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { useService, type Shop } from '../support/service.js';

const RANGE = 'from=2026-03-01&to=2026-03-07';
/** What answers list of a shop; nothing was pushed for the other one. */
const LISTS = ['orders', 'products', 'entries', 'costs', 'expenses', 'rules', 'restatements', 'rejections'];
const TEXTS = [
  `'; DROP TABLE orders; --`,
  `\\'; DROP TABLE orders; --`,
  `') OR 1=1 UNION ALL SELECT * FROM orders --`,
  '{shop:String}',
  '{{shop}}${shop}$(shop)',
  `a' /* */ SETTINGS max_execution_time=0 FORMAT Null`,
  '%_\\%',
  '__proto__',
];

describe('texts that look like statements', function () {
  this.timeout(600_000);
  const service = useService();
  let shop: Shop;
  let other: Shop;

  before(async () => {
    [shop, other] = await Promise.all([service.shop(), service.shop()]);
    for (const [i, text] of TEXTS.entries()) {
      const answers = [
        await shop.call('POST', '/v1/orders', {
          orders: [
            {
              order_id: text,
              order_name: text,
              placed_at: '2026-03-02T12:00:00Z',
              currency: 'EUR',
              status: 'paid',
              total: '10',
              payment_gateway: text,
              subscription_id: text,
              line_items: [
                { line_id: text, sku: text, product_id: text, title: text, quantity: '1', unit_price: '10' },
              ],
              refunds: [
                {
                  refund_id: text,
                  refunded_at: '2026-03-03T12:00:00Z',
                  total: '1',
                  line_items: [{ line_id: text, quantity: '1', restock: false }],
                },
              ],
            },
          ],
        }),
        await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: text, unit_cost: '2' }] }),
        await shop.call('POST', '/v1/costs/spend', {
          rows: [
            {
              channel: `c${i}`,
              campaign_id: text,
              campaign_name: text,
              event_date: '2026-03-02',
              currency: 'EUR',
              spend: '1',
            },
          ],
        }),
        await shop.call('POST', '/v1/costs/expenses', {
          external_id: text,
          name: text,
          category: 'other',
          amount: '7',
          currency: 'EUR',
          frequency: 'one_time',
          started_on: '2026-03-02',
        }),
      ];
      for (const { status, body } of answers) {
        expect(status, JSON.stringify(body)).to.be.oneOf([200, 201]);
        expect(body.rejected ?? 0, JSON.stringify(body)).to.equal(0);
      }
    }
    await service.settled();
  });

  const figures = async (of: Shop): Promise<object> =>
    (await of.call('GET', `/v1/metrics?${RANGE}&include=expenses`)).body;

  it('are stored and found as they are', async () => {
    const { body } = await shop.call('GET', `/v1/orders?${RANGE}`);
    expect(body.orders.map((order: { order_id: string }) => order.order_id)).to.have.members(TEXTS);
    for (const text of TEXTS) {
      const order = await shop.call('GET', `/v1/orders/${encodeURIComponent(text)}`);
      expect(order.body).to.include({ order_id: text, order_name: text, cogs: '2.00' });
      for (const filter of ['sku', 'gateway']) {
        const found = await shop.call('GET', `/v1/orders?${RANGE}&${filter}=${encodeURIComponent(text)}`);
        const ids = found.body.orders.map(({ order_id }: { order_id: string }) => order_id);
        expect(ids, `${filter} ${text}`).to.deep.equal([text]);
      }
    }
    expect(await figures(shop)).to.include({ orders: TEXTS.length, revenue: '80.00', cogs: '16.00', ad_spend: '8.00' });
  });

  it('change nothing and show nothing of another shop in any parameter', async () => {
    const own = await figures(shop);
    const reads = OPERATIONS.filter(({ method, path }) => method === 'get' && path.startsWith('/v1/'));
    for (const { path, parameters = [] } of reads) {
      for (const text of TEXTS.slice(0, 4).map(encodeURIComponent)) {
        const place = path.replace(/\{\w+\}/g, text);
        const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
        for (const query of ['', ...names.map((name) => `${name}=${text}`)]) {
          const { status, body } = await other.call('GET', `${place}?${RANGE}&${query}`);
          expect(status, `${path} ${query}`).to.be.below(500);
          const shown = LISTS.flatMap((list) => (Array.isArray(body[list]) ? (body[list] as unknown[]) : []));
          expect(shown, `${path} ${query}`).to.deep.equal([]);
        }
      }
    }
    expect(await figures(shop)).to.deep.equal(own);
    expect(await figures(other)).to.include({ orders: 0, revenue: '0.00' });
  });
});
