import { expect } from 'chai';
import { becomeVisitor, order, useApp } from './support/app.js';
import { SHIFTS } from './support/shifts.js';
import { quiet } from './support/quiet.js';

describe('the layout of the app', () => {
  const { service, open, sellingShop } = useApp();

  for (const width of [1440, 390]) {
    it(`moves nothing when slow answers arrive, ${width} pixels wide`, async () => {
      const shop = await sellingShop();
      const before = new Date(Date.now() - 40 * 86_400_000).toISOString();
      await shop.call('POST', '/v1/orders', { orders: [order('0', { placed_at: before, payment_gateway: 'card' })] });
      await service().settled();
      // With one shop alone, the list of all leads to it.
      await service().shop({ currency: 'GBP', timezone: 'UTC' });
      const { page } = await open('/', { viewport: { width, height: 900 } });
      await page.addInitScript({ content: SHIFTS });
      const moved: Record<string, unknown> = {};
      let delay = 400;
      await becomeVisitor(page, service(), shop.id, Date.now() - 3_600_000);
      await page.route(/\/app\/api\//, async (route) => {
        await new Promise((resume) => setTimeout(resume, (delay += 60)));
        await route.continue();
      });
      for (const path of [
        '',
        '?figure=net_profit',
        '?figure=refunds',
        '?columns=month',
        '/orders',
        '/orders?by=country',
        '/orders/2',
        '/products',
        '/customers',
        '/channels',
        '/changes',
        '/connections',
        '/settings/shop',
        '/settings/costs',
        '/settings/expenses',
        '/settings/fees',
        '/settings/pixel',
        '/settings/alerts',
        '/settings/bi',
        '/settings/people',
        '/products/upload',
        '/upload/expenses',
        '/',
        `/developers?shop=${shop.id}`,
      ]) {
        delay = 400;
        await page.goto(
          `${service().url}${path.startsWith('/developers') || path === '/' ? path : `/shop/${shop.id}${path}`}`,
        );
        await quiet(page);
        moved[path] = await page.evaluate('shifts');
      }
      expect(Object.entries(moved).filter(([, shifts]) => !Array.isArray(shifts) || shifts.length > 0)).to.deep.equal(
        [],
      );
    });
  }
});
