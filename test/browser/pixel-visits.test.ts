import { expect } from 'chai';
import { batchErrors } from './support/event-schema.js';
import { useShop } from './support/shop.js';

describe('pixel: visits', () => {
  const open = useShop();

  describe('page views', () => {
    it('follow the history, each once, with the view before as the referrer', async () => {
      const { visit, page, leave, site } = await open();
      await visit('/a');
      await page.evaluate(`history.pushState({}, '', '/b?x=1')`);
      await page.evaluate(`history.pushState({}, '', '/b?x=1')`);
      await page.evaluate(`history.replaceState({}, '', '/c')`);
      await page.evaluate(`new Promise((done) => { addEventListener('popstate', done); history.back() })`);
      const events = await leave();
      expect(events.map(({ url, referrer }) => [url, referrer])).to.deep.equal(
        [
          ['/a', ''],
          ['/b?x=1', '/a'],
          ['/c', '/b?x=1'],
          ['/b?x=1', '/c'],
        ].map((pair) => pair.map((path) => path && site.origin + path)),
      );
    });

    it('are not made of a fragment, nor of a query that is only tidied', async () => {
      const { visit, page, leave } = await open();
      await visit('/a?gclid=1');
      await page.evaluate(`location.hash = '#reviews'`);
      await page.evaluate(`history.pushState({}, '', '#more')`);
      await page.evaluate(`history.replaceState({}, '', '/a')`);
      await page.evaluate(`history.replaceState({}, '', '/a?variant=2')`);
      const events = await leave();
      expect(events.map(({ url }) => url)).to.have.length(1);
      expect(events[0]?.url).to.match(/gclid=1$/);
    });

    it('are made of a fragment that is a route', async () => {
      const { visit, page, leave } = await open();
      await visit('/#/');
      await page.evaluate(`new Promise((done) => { addEventListener('hashchange', done); location.hash = '#/cart' })`);
      expect((await leave()).map(({ url }) => (url as string).split('/').pop())).to.deep.equal(['', 'cart']);
    });

    it('are made of a page that comes back from the back-forward cache', async () => {
      const { visit, page, collector } = await open();
      await visit('/one');
      await page.evaluate(`window.kept = true`);
      await visit('/two');
      await page.goBack({ waitUntil: 'commit' });
      const events = await collector.received(3);
      expect(await page.evaluate('window.kept')).to.equal(true);
      expect(events.map(({ url }) => (url as string).slice(-4))).to.deep.equal(['/one', '/two', '/one']);
    });

    it('are left to the page where it says so', async () => {
      const { visit, page, call, leave, site } = await open({ attributes: 'data-page-views="manual"' });
      await visit('/a');
      await page.evaluate(`history.pushState({}, '', '/b')`);
      await call(`'track', 'page_view'`);
      expect((await leave()).map(({ url, referrer }) => [url, referrer])).to.deep.equal([
        [`${site.origin}/b`, `${site.origin}/a`],
      ]);
    });
  });

  describe('sessions', () => {
    it('end after thirty minutes without an event; the visitor stays', async () => {
      const { visit, page, call, leave } = await open();
      await page.clock.install({ time: new Date('2026-01-05T10:00:00Z') });
      await visit();
      await page.clock.fastForward('29:00');
      await call(`'track', 'product_view'`);
      await page.clock.fastForward('29:00');
      await call(`'track', 'product_view'`);
      await page.clock.fastForward('31:00');
      await call(`'track', 'product_view'`);
      const events = await leave();
      const sessions = events.map(({ session_hint }) => session_hint);
      expect(sessions[0]).to.equal(sessions[1]);
      expect(sessions[1]).to.equal(sessions[2]);
      expect(sessions[3]).not.to.equal(sessions[2]);
      expect(new Set(events.map(({ anon_id }) => anon_id)).size).to.equal(1);
    });

    it('and visitors end after thirteen months, however often they come', async () => {
      const { visit, page, leave } = await open();
      await page.clock.install({ time: new Date('2026-01-05T10:00:00Z') });
      await visit();
      await page.clock.setSystemTime(new Date('2027-02-03T10:00:00Z'));
      await visit();
      await page.clock.setSystemTime(new Date('2027-02-05T10:00:00Z'));
      await visit();
      const [first, second, third] = (await leave()).map(({ anon_id }) => anon_id);
      expect(second).to.equal(first);
      expect(third).not.to.equal(second);
    });

    it('begin anew where what is stored is not ours', async () => {
      const values = ['{', 'null', '[]', `{"anon_id":7,"at":${Date.now()}}`, '"x"'];
      const check = async (value: string): Promise<void> => {
        const { visit, leave, collector } = await open({ init: `localStorage.profit_id = '${value}'` });
        await visit();
        expect(await leave(), value).to.have.length(1);
        expect(collector.batches().flatMap(({ body }) => batchErrors(body))).to.deep.equal([]);
      };
      await Promise.all(values.map(check));
    });
  });
});
