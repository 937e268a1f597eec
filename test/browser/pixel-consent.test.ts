import { expect } from 'chai';
import { TCF } from './support/consent-tools.js';
import { BERLIN, NEW_YORK, NOTHING, useShop } from './support/shop.js';

describe('pixel: consent', () => {
  const open = useShop();

  const STUB = `<script>window.profit = window.profit || function () { (profit.q = profit.q || []).push(arguments) }</script>`;

  describe('before consent', () => {
    it('stores nothing and sends nothing, whatever the page does', async () => {
      const { page, visit, call, stored, collector, context, leave } = await open({ timezoneId: BERLIN });
      await visit('/?gclid=abc');
      await call(`'track', 'add_to_cart', { sku: 'A' }`);
      await call(`'purchase', { order_id: '1' }`);
      await call(`'identify', 'ann@example.com'`);
      await page.evaluate(`history.pushState({}, '', '/cart')`);
      await page.waitForTimeout(1800);
      expect(await stored()).to.deep.equal(NOTHING);
      expect(await context.cookies()).to.deep.equal([]);
      expect(await leave()).to.deep.equal([]);
      expect(collector.requests.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(['GET /pixel.js']);
    });

    it('makes no random number, and so no identifier', async () => {
      const { page, visit } = await open({
        timezoneId: BERLIN,
        init: `window.made = 0; const make = crypto.getRandomValues.bind(crypto);
          crypto.getRandomValues = (bytes) => { made++; return make(bytes) };`,
      });
      await visit();
      await page.waitForTimeout(700);
      expect(await page.evaluate('made')).to.equal(0);
      await page.evaluate(`profit('consent', { analytics: true })`);
      expect(await page.evaluate('made')).to.be.greaterThan(0);
    });

    it('sends what happened on the page once consent is given there, in order and with the time it happened', async () => {
      const { page, visit, call, leave } = await open({ timezoneId: BERLIN });
      await visit('/?gclid=abc');
      await call(`'track', 'add_to_cart', { sku: 'A' }`);
      const before = Date.now();
      await page.waitForTimeout(300);
      await call(`'consent', { analytics: true, marketing: false }`);
      const events = await leave();
      expect(events.map(({ type }) => type)).to.deep.equal(['page_view', 'add_to_cart']);
      expect(events.every(({ ts }) => Date.parse(ts as string) <= before)).to.equal(true);
      expect(events.every(({ consent }) => consent === 'analytics')).to.equal(true);
      expect(events[0]?.url).to.match(/gclid=abc$/);
    });
  });

  describe('by region, where nothing else speaks', () => {
    for (const zone of ['Europe/Paris', 'Europe/London', 'Europe/Zurich', 'Atlantic/Canary', 'Indian/Reunion', 'UTC']) {
      it(`denies in ${zone}`, async () => {
        const { visit, stored, leave } = await open({ timezoneId: zone });
        await visit();
        expect(await stored()).to.deep.equal(NOTHING);
        expect(await leave()).to.deep.equal([]);
      });
    }

    for (const zone of ['America/New_York', 'Asia/Tokyo', 'Europe/Istanbul', 'Australia/Sydney']) {
      it(`allows in ${zone}`, async () => {
        const { visit, stored, leave } = await open({ timezoneId: zone });
        await visit();
        expect(await stored()).to.deep.equal({ ...NOTHING, local: ['profit_id'] });
        const events = await leave();
        expect(events.map(({ type, consent }) => [type, consent])).to.deep.equal([
          ['page_view', 'analytics+marketing'],
        ]);
      });
    }

    it('takes the country that the page names over the time zone', async () => {
      const german = await open({ timezoneId: NEW_YORK, attributes: 'data-region="de"' });
      await german.visit();
      expect(await german.leave()).to.deep.equal([]);
      const american = await open({ timezoneId: BERLIN, attributes: 'data-region="US-CA"' });
      await american.visit();
      expect(await american.leave()).to.have.length(1);
    });

    it('falls back to the time zone for a country that is none', async () => {
      const { visit, leave } = await open({ timezoneId: BERLIN, attributes: 'data-region="XX"' });
      await visit();
      expect(await leave()).to.deep.equal([]);
    });
  });

  describe('said by the page', () => {
    it('grants on every later page too', async () => {
      const { visit, call, stored, leave } = await open({ timezoneId: BERLIN });
      await visit('/one');
      await call(`'consent', { analytics: true, marketing: true }`);
      expect(await stored()).to.deep.equal({ ...NOTHING, local: ['profit_consent', 'profit_id'] });
      await visit('/two');
      const events = await leave();
      expect(events.map(({ url }) => (url as string).slice(-4))).to.deep.equal(['/one', '/two']);
      expect(new Set(events.map(({ anon_id }) => anon_id)).size).to.equal(1);
      expect(new Set(events.map(({ session_hint }) => session_hint)).size).to.equal(1);
    });

    it('refuses on every later page too, even where a consent tool says yes', async () => {
      const { visit, call, leave } = await open({
        head: `<script>${TCF} tcf('tcloaded', [1, 3, 4, 7, 8])</script>`,
      });
      await visit('/one');
      await call(`'consent', { analytics: false }`);
      await visit('/two');
      expect(await leave()).to.deep.equal([]);
    });

    it('refuses on every later page too, even where silence means yes', async () => {
      const { visit, call, stored, leave, collector } = await open({ timezoneId: NEW_YORK });
      await visit('/one');
      await collector.received(1);
      await call(`'consent', { analytics: false, marketing: false }`);
      expect(await stored()).to.deep.equal({ ...NOTHING, local: ['profit_consent'] });
      await visit('/two');
      expect(await leave()).to.have.length(1);
    });

    it('takes only true for a yes, and marketing only with analytics', async () => {
      const { visit, call, leave } = await open({ timezoneId: BERLIN });
      await visit();
      await call(`'consent', { analytics: 'denied', marketing: true }`);
      await call(`'consent', { marketing: true }`);
      await call(`'consent'`);
      expect(await leave()).to.deep.equal([]);
    });

    it('holds from before the script has loaded', async () => {
      const { visit, page, stored, leave } = await open({
        timezoneId: NEW_YORK,
        head: `${STUB}<script>profit('consent', { analytics: false, marketing: false })</script>`,
        init: `const set = Storage.prototype.setItem; window.sets = [];
          Storage.prototype.setItem = function (key, value) { sets.push(key); return set.call(this, key, value) }`,
      });
      await visit();
      expect(await stored()).to.deep.equal({ ...NOTHING, local: ['profit_consent'] });
      expect(await page.evaluate('sets')).to.deep.equal(['profit_consent']);
      expect(await leave()).to.deep.equal([]);
    });
  });

  describe('withdrawn', () => {
    it('deletes the identifiers at once, drops what is queued and sends nothing more', async () => {
      const { visit, call, stored, leave, collector, page } = await open({ timezoneId: BERLIN });
      await visit();
      await call(`'consent', { analytics: true, marketing: true }`);
      await collector.received(1);
      await call(`'track', 'product_view', { sku: 'A' }`);
      await page.evaluate(
        `profit('consent', { analytics: false, marketing: false }); window.left = localStorage.length`,
      );
      expect(await page.evaluate('left')).to.equal(0);
      await call(`'track', 'add_to_cart', { sku: 'A' }`);
      await page.evaluate(`history.pushState({}, '', '/cart')`);
      await page.waitForTimeout(1500);
      expect(await stored()).to.deep.equal(NOTHING);
      expect((await leave()).map(({ type }) => type)).to.deep.equal(['page_view']);
    });

    it('takes marketing alone out of what is queued', async () => {
      const { visit, call, leave, page } = await open({ timezoneId: NEW_YORK });
      await visit();
      await call(`'identify', 'ann@example.com'`);
      await page.waitForTimeout(100);
      await call(`'consent', { analytics: true, marketing: false }`);
      const events = await leave();
      expect(events.map(({ type, consent }) => [type, consent])).to.deep.equal([['page_view', 'analytics']]);
    });

    it('starts as somebody else when consent is given again', async () => {
      const { visit, call, leave, collector } = await open({ timezoneId: BERLIN });
      await visit();
      await call(`'consent', { analytics: true }`);
      await collector.received(1);
      await call(`'consent', { analytics: false }`);
      await call(`'consent', { analytics: true }`);
      const events = await leave();
      expect(events.map(({ type }) => type)).to.deep.equal(['page_view', 'page_view']);
      expect(events[0]?.anon_id).not.to.equal(events[1]?.anon_id);
      expect(events[0]?.session_hint).not.to.equal(events[1]?.session_hint);
    });

    it('stops the other tabs of the shop', async () => {
      const { visit, call, context, site, page, stored, leave, collector } = await open({ timezoneId: BERLIN });
      await visit('/one');
      await call(`'consent', { analytics: true }`);
      const other = await context.newPage();
      await other.goto(`${site.origin}/two`);
      await collector.received(2);
      await other.evaluate(`profit('consent', { analytics: false })`);
      await page.waitForTimeout(200);
      await call(`'track', 'add_to_cart', { sku: 'A' }`);
      expect(await stored()).to.deep.equal(NOTHING);
      expect(await leave()).to.have.length(2);
    });

    it('drops what was queued under the earlier identity, even when consent is given again at once', async () => {
      const { visit, page, leave } = await open({ timezoneId: NEW_YORK });
      await visit();
      await page.evaluate(`profit('track', 'add_to_cart'); profit('consent', { analytics: false });
        profit('consent', { analytics: true }); profit('track', 'product_view')`);
      const events = await leave();
      expect(events.map(({ type }) => type)).to.deep.equal(['page_view', 'product_view']);
      expect(new Set(events.map(({ anon_id }) => anon_id)).size).to.equal(1);
    });

    it('in a consent tool stops the other tabs, whose tool has not heard of it', async () => {
      const { visit, call, context, site, page, stored, leave, collector } = await open({
        timezoneId: BERLIN,
        head: `<script>${TCF} tcf('tcloaded', [1, 8])</script>`,
      });
      await visit('/one');
      const other = await context.newPage();
      await other.goto(`${site.origin}/two`);
      await collector.received(2);
      await other.evaluate(`tcf('useractioncomplete', [])`);
      await page.waitForTimeout(200);
      await call(`'track', 'add_to_cart'`);
      expect(await stored()).to.deep.equal(NOTHING);
      expect(await leave()).to.have.length(2);
    });

    it('leaves a tab that is stopped no hand in what another tab is allowed later', async () => {
      const { visit, call, context, site, page, stored, leave, collector } = await open({
        timezoneId: BERLIN,
        head: `<script>${TCF} tcf('tcloaded', [1, 8])</script>`,
      });
      await visit('/one');
      const other = await context.newPage();
      await other.goto(`${site.origin}/two`);
      await collector.received(2);
      await other.evaluate(`tcf('useractioncomplete', [])`);
      await page.waitForTimeout(200);
      await other.evaluate(`tcf('useractioncomplete', [1, 8])`);
      await collector.received(3);
      await call(`'track', 'add_to_cart'`);
      await page.waitForTimeout(700);
      expect(await stored()).to.deep.equal({ ...NOTHING, local: ['profit_id'] });
      expect(await leave()).to.have.length(3);
    });

    it('is read afresh by a page that was set aside, whatever it was told before', async () => {
      const { visit, call, page, stored } = await open({ timezoneId: NEW_YORK });
      await visit();
      await call(`'consent', { analytics: true, marketing: true }`);
      // As another page leaves it, in browsers that don't tell a page about changes from before its return.
      await page.evaluate(`localStorage.removeItem('profit_id');
        localStorage.profit_consent = JSON.stringify({ level: -1, at: Date.now() });
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
      expect(await stored()).to.deep.equal({ ...NOTHING, local: ['profit_consent'] });
    });

    it('holds on a page that comes back from the back-forward cache', async () => {
      const { visit, call, page, stored, collector } = await open({ timezoneId: NEW_YORK });
      await visit('/one');
      await call(`'consent', { analytics: true, marketing: true }`);
      await page.evaluate(`window.kept = true`);
      await visit('/two');
      await collector.received(2);
      await call(`'consent', { analytics: false }`);
      await page.goBack({ waitUntil: 'commit' });
      await page.waitForTimeout(300);
      expect(await page.evaluate(`[location.pathname, window.kept]`)).to.deep.equal(['/one', true]);
      expect(await stored()).to.deep.equal({ ...NOTHING, local: ['profit_consent'] });
      expect(collector.events()).to.have.length(2);
    });
  });
});
