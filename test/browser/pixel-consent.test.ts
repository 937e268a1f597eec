import { expect } from 'chai';
import { TCF } from './support/consent-tools.js';
import { BERLIN, NEW_YORK, NOTHING, useShop } from './support/shop.js';

describe('pixel: consent', () => {
  const open = useShop();

  const STUB = `<script>window.profit = window.profit || function () { (profit.q = profit.q || []).push(arguments) }</script>`;

  describe('before consent', () => {
    it('stores nothing and sends nothing, whatever the page does', async () => {
      const { page, visit, call, stored, collector, context, leave } = await open({ timezoneId: BERLIN, still: true });
      await visit('/?gclid=abc');
      await call(`'track', 'add_to_cart', { sku: 'A' }`);
      await call(`'purchase', { order_id: '1' }`);
      await call(`'identify', 'ann@example.com'`);
      await page.evaluate(`history.pushState({}, '', '/cart')`);
      await page.clock.runFor(1800);
      expect(await stored()).to.deep.equal(NOTHING);
      expect(await context.cookies()).to.deep.equal([]);
      expect(await leave()).to.deep.equal([]);
      expect(collector.requests.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(['GET /pixel.js']);
    });

    it('makes no random number, and so no identifier', async () => {
      const { page, visit } = await open({
        timezoneId: BERLIN,
        still: true,
        init: `window.made = 0; const make = crypto.getRandomValues.bind(crypto);
          crypto.getRandomValues = (bytes) => { made++; return make(bytes) };`,
      });
      await visit();
      await page.clock.runFor(700);
      expect(await page.evaluate('made')).to.equal(0);
      await page.evaluate(`profit('consent', { analytics: true })`);
      expect(await page.evaluate('made')).to.be.greaterThan(0);
    });

    it('sends what happened on the page once consent is given there, in order and with the time it happened', async () => {
      const { page, visit, call, leave } = await open({ timezoneId: BERLIN, still: true });
      await visit('/?gclid=abc');
      await call(`'track', 'add_to_cart', { sku: 'A' }`);
      const before = await page.evaluate<number>('Date.now()');
      await page.clock.runFor(300);
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
        still: true,
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
});
