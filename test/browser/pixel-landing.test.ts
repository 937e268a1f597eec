import { expect } from 'chai';
import { BERLIN, NOTHING, useShop } from './support/shop.js';

describe('pixel: where a visit began', () => {
  const open = useShop();
  const pathsOf = (events: Record<string, unknown>[]): string[] =>
    events.map(({ url }) => `${new URL(String(url)).pathname}${new URL(String(url)).search}`);

  it('is told with consent on the third page, and nothing is stored before', async () => {
    const { visit, call, leave, stored, context } = await open({ timezoneId: BERLIN });
    await visit('/landing?gclid=abc', { referer: 'https://www.google.com/' });
    await visit('/second');
    await visit('/third');
    expect(await stored()).to.deep.equal(NOTHING);
    expect(await context.cookies()).to.deep.equal([]);
    await call(`'consent', { analytics: true }`);
    const events = await leave();
    expect(pathsOf(events)).to.deep.equal(['/landing?gclid=abc', '/third']);
    expect(events[0]?.referrer).to.equal('');
    expect(String(events[0]?.ts) <= String(events[1]?.ts)).to.equal(true);
  });

  it('is told on the second page in a browser without the Navigation API', async () => {
    const { page, site, call, leave } = await open({ timezoneId: BERLIN, init: 'delete window.navigation' });
    await page.goto(`${site.origin}/landing?gclid=abc`);
    await page.evaluate(`location.href = '/second'`);
    await page.waitForURL('**/second');
    await page.waitForFunction('window.profit');
    await call(`'consent', { analytics: true }`);
    expect(pathsOf(await leave())).to.deep.equal(['/landing?gclid=abc', '/second']);
  });

  it('is told once where the visit is on its first page, and not again to a visitor who is known', async () => {
    const { visit, call, page, leave } = await open({ timezoneId: BERLIN });
    await visit('/landing?gclid=abc');
    await page.evaluate(`history.pushState({}, '', '/moved')`);
    await call(`'consent', { analytics: true }`);
    await visit('/third');
    expect(pathsOf(await leave())).to.deep.equal(['/landing?gclid=abc', '/moved', '/third']);
  });

  it('is not told of a page without a query, nor of another site', async () => {
    const { visit, page, site, call, leave } = await open({ timezoneId: BERLIN });
    await page.goto(`${site.origin.replace('127.0.0.1', 'localhost')}/?gclid=other`);
    await visit('/landing');
    await visit('/second');
    await call(`'consent', { analytics: true }`);
    expect(pathsOf(await leave())).to.deep.equal(['/second']);
  });
});

describe('pixel: one visitor on all hosts of a domain', () => {
  const open = useShop();

  it('is kept in a cookie of that domain, after consent, until withdrawal', async () => {
    const { visit, call, page, site, leave, context, stored, collector } = await open({
      timezoneId: BERLIN,
      host: 'www.shop.test',
      attributes: 'data-cookie-domain="shop.test"',
    });
    await visit('/');
    expect(await stored()).to.deep.equal(NOTHING);
    expect(await context.cookies()).to.deep.equal([]);
    await call(`'consent', { analytics: true }`);
    await collector.received(1);
    const [cookie, ...others] = await context.cookies();
    expect(cookie).to.include({ name: 'profit_id', domain: '.shop.test', path: '/', sameSite: 'Lax' });
    expect((cookie?.expires ?? 0) - Date.now() / 1000).to.be.within(394 * 86_400, 396 * 86_400);
    expect(others).to.deep.equal([]);
    await page.goto(site.origin.replace('www.', 'till.'));
    await page.waitForFunction('window.profit');
    await call(`'consent', { analytics: true }`);
    const events = await collector.received(2);
    expect(new Set(events.map(({ anon_id }) => anon_id)).size).to.equal(1);
    await call(`'consent', { analytics: false }`);
    expect(await context.cookies()).to.deep.equal([]);
    await leave();
  });

  it('is one of each host without it, or where the browser refuses the cookie', async () => {
    for (const attributes of ['', 'data-cookie-domain="another.test"']) {
      const { page, site, collector, context } = await open({ host: 'www.shop.test', attributes });
      await page.goto(site.origin);
      await collector.received(1);
      await page.goto(site.origin.replace('www.', 'till.'));
      const events = await collector.received(2);
      expect(new Set(events.map(({ anon_id }) => anon_id)).size, attributes).to.equal(2);
      expect(await context.cookies()).to.deep.equal([]);
    }
  });
});
