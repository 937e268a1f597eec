import { expect } from 'chai';
import { json, signInAsOperator } from '../console/support.js';
import { order, rent, today, useApp } from './support/app.js';
import { quiet } from './support/quiet.js';

/** As long as each may be, without a place where a line could break. */
const long = (begin: string, length: number): string => begin.padEnd(length, 'W');
const ORDER = long('O', 255);
const SKU = long('S', 255);

const PAGES = [
  '',
  '?figure=gateway_fees',
  '?figure=expenses',
  '?figure=refunds&view=entries',
  '/orders',
  `/orders/${ORDER}`,
  '/products',
  '/customers',
  '/channels',
  '/changes',
  '/connections',
  '/settings/shop',
  '/settings/costs',
  '/settings/expenses',
  '/settings/fees',
  '/settings/alerts',
  '/settings/people',
];

describe('the longest texts that are taken, in a browser', () => {
  const { service, open } = useApp();

  for (const width of [1440, 390]) {
    it(`make no page wider than its ${width} pixels`, async () => {
      const id = long(`shop-${process.pid}-${width}-`, 64);
      const key = await service().key(id);
      const call = async (method: string, path: string, body: unknown) => {
        const answer = await service().call(method, path, { key, body });
        expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 299);
        expect(answer.body.rejected ?? 0, JSON.stringify(answer.body)).to.equal(0);
      };
      await call('PUT', '/v1/source', { platform: long('p', 64), currency: 'GBP', timezone: 'UTC' });
      const line_items = [
        {
          line_id: '1',
          sku: SKU,
          title: long('T', 1_000),
          quantity: '3',
          unit_price: '411.50',
          unit_cost: '0.123456',
        },
      ];
      const refunds = [{ refund_id: long('R', 255), refunded_at: `${today()}T00:00:00Z`, total: '200.005' }];
      const fields = {
        order_name: long('N', 1_000),
        line_items,
        refunds,
        payment_gateway: long('G', 255),
        gateway_fee: undefined,
      };
      await call('POST', '/v1/orders', { orders: [order(ORDER, fields)] });
      await call('POST', '/v1/costs/spend', {
        rows: [{ channel: long('c', 255), event_date: today(), currency: 'GBP', spend: '4.000001' }],
      });
      await call('POST', '/v1/costs/expenses', rent({ name: long('E', 255), external_id: long('x', 255) }));
      const operator = await signInAsOperator(service());
      await json(await operator.post(`/app/api/shops/${id}/keys`, { name: long('K', 100), kind: 'secret' }), 201);
      await json(
        await operator.post('/app/api/people', { name: long(`P${width}`, 64), role: 'viewer', shops: [id] }),
        201,
      );
      await service().settled();

      const { page, faults } = await open('/', { viewport: { width, height: 900 } });
      for (const path of [...PAGES.map((rest) => `/shop/${id}${rest}`), '/', `/developers?shop=${id}&tab=keys`]) {
        await page.goto(`${service().url}${path}`);
        await quiet(page);
        expect(
          await page.locator('.panel, table').count(),
          `${path} ${await page.innerText('body')}`.slice(0, 2_000),
        ).to.be.greaterThan(0);
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).to.equal(width);
      }
      expect(faults).to.deep.equal([]);
    });
  }
});
