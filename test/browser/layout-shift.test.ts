import { expect } from 'chai';
import { useApp, becomeVisitor } from './support/app.js';
import { SHIFTS } from './support/shifts.js';
import { quiet } from './support/quiet.js';

describe('the layout of the app', () => {
  const { service, open, sellingShop } = useApp();

  for (const width of [1440, 390]) {
    it(`moves nothing when slow answers arrive, ${width} pixels wide`, async () => {
      const shop = await sellingShop();
      // With one shop alone, the list of all leads to it.
      await service().shop({ currency: 'GBP', timezone: 'UTC' });
      const { page } = await open('/', { viewport: { width, height: 900 } });
      await page.addInitScript({ content: SHIFTS });
      let delay = 100;
      await becomeVisitor(page, service(), shop.id, Date.now() - 3_600_000);
      await page.route(/\/v1\/|\/figures\?/, async (route) => {
        await new Promise((resume) => setTimeout(resume, (delay += 60)));
        await route.continue();
      });
      for (const path of [
        '',
        '?figure=refunds',
        '/orders',
        '/orders/2',
        '/products',
        '/channels',
        '/changes',
        '/connections',
        '/settings/costs',
        '/',
      ]) {
        delay = 100;
        await page.goto(`${service().url}${path === '/' ? path : `/shop/${shop.id}${path}`}`);
        await quiet(page);
        expect(await page.evaluate('shifts'), path).to.deep.equal([]);
      }
    });
  }
});
