import { expect } from 'chai';
import { checkConsent } from './support/consent-cases.js';
import { GTAG, SHOPIFY, TCF } from './support/consent-tools.js';
import { BERLIN, NEW_YORK, useShop } from './support/shop.js';

describe('pixel: consent signals', () => {
  const open = useShop();
  const both = (value: string): string => `{ analytics_storage: '${value}', ad_storage: '${value}' }`;

  describe('IAB TCF v2', () => {
    checkConsent(open, [
      {
        title: 'purposes 1 and 8 are analytics',
        zone: BERLIN,
        head: `${TCF} tcf('tcloaded', [1, 8])`,
        expected: 'analytics',
      },
      {
        title: 'purposes 1, 3, 4, 7 and 8 are marketing too',
        zone: BERLIN,
        head: `${TCF} tcf('tcloaded', [1, 3, 4, 7, 8])`,
        expected: 'analytics+marketing',
      },
      {
        title: 'without purpose 1 nothing is allowed, anywhere',
        zone: NEW_YORK,
        head: `${TCF} tcf('tcloaded', [3, 4, 7, 8])`,
        expected: null,
      },
      {
        title: 'the dialog being open is no consent; the choice in it is',
        zone: BERLIN,
        head: `${TCF} tcf('cmpuishown', [])`,
        then: `tcf('useractioncomplete', [1, 8])`,
        expected: 'analytics',
      },
      {
        title: 'the dialog being opened again leaves the earlier choice in force',
        zone: BERLIN,
        head: `${TCF} tcf('tcloaded', [1, 8])`,
        then: `tcf('cmpuishown', [])`,
        expected: 'analytics',
      },
      {
        title: 'a late refusal withdraws',
        zone: BERLIN,
        head: `${TCF} tcf('tcloaded', [1, 8])`,
        then: `tcf('useractioncomplete', [])`,
        expected: null,
      },
      {
        title: 'where the tool says that GDPR does not apply, it allows',
        zone: BERLIN,
        head: `${TCF} tcf('tcloaded', [], false)`,
        expected: 'analytics+marketing',
      },
      {
        title: 'a tool that has not answered yet is waited for',
        zone: NEW_YORK,
        head: TCF,
        expected: null,
      },
    ]);

    it('honours a tool that loads after the pixel', async () => {
      const { visit, page, leave, stored } = await open({ timezoneId: NEW_YORK });
      await visit();
      expect((await stored()).local).to.deep.equal(['profit_id']);
      await page.evaluate(`${TCF} tcf('tcloaded', [])`);
      await page.waitForFunction('tcfListeners.length === 1 && !localStorage.length');
      await leave();
    });

    it('keeps the identifiers of a visitor who consented on an earlier page while the tool loads', async () => {
      const { visit, page, leave } = await open({
        timezoneId: BERLIN,
        head: `<script>${TCF}</script>`,
        still: true,
      });
      await visit('/one');
      await page.evaluate(`tcf('tcloaded', [1, 8])`);
      await visit('/two');
      await page.evaluate(`tcf('cmpuishown', [])`);
      await page.evaluate(`tcf('tcloaded', [1, 8])`);
      const events = await leave();
      expect(events.map(({ url }) => (url as string).slice(-4))).to.deep.equal(['/one', '/two']);
      expect(events[0]?.anon_id).to.equal(events[1]?.anon_id);
    });

    it('goes by the region when the tool never answers', async () => {
      const { visit, collector, page } = await open({
        timezoneId: NEW_YORK,
        head: `<script>${TCF}</script>`,
        still: true,
      });
      await visit();
      await page.clock.runFor(4000);
      await page.waitForTimeout(300);
      expect(collector.events()).to.deep.equal([]);
      await page.clock.runFor(4000);
      expect(await collector.received(1)).to.have.length(1);
    });
  });

  describe('Shopify customer privacy', () => {
    checkConsent(open, [
      {
        title: 'no choice yet, where Shopify asks for one: nothing',
        zone: NEW_YORK,
        head: SHOPIFY,
        expected: null,
      },
      {
        title: 'no choice yet, where Shopify asks for none: allowed',
        zone: BERLIN,
        head: `${SHOPIFY} allowed = { analytics: true, marketing: true, chosen: '' }`,
        expected: 'analytics+marketing',
      },
      {
        title: 'visitorConsentCollected grants',
        zone: BERLIN,
        head: SHOPIFY,
        then: `collect(true, false)`,
        expected: 'analytics',
      },
      {
        title: 'visitorConsentCollected withdraws',
        zone: BERLIN,
        head: `${SHOPIFY} collect(true, true)`,
        then: `collect(false, false)`,
        expected: null,
      },
      {
        title: 'the sale of data refused is no marketing',
        zone: BERLIN,
        head: `${SHOPIFY} allowed = { analytics: true, marketing: true, chosen: 'yes' };
          Shopify.customerPrivacy.saleOfDataAllowed = () => false`,
        expected: 'analytics',
      },
      {
        title: 'the API is asked for where it is not loaded, and waited for',
        zone: NEW_YORK,
        head: `${SHOPIFY} const api = Shopify.customerPrivacy; allowed.analytics = true; allowed.chosen = 'yes';
          window.Shopify = { loadFeatures: (features, done) => setTimeout(() => {
            if (features[0].name === 'consent-tracking-api') Shopify.customerPrivacy = api; done() }, 50) }`,
        after: 150,
        expected: 'analytics',
      },
      {
        title: 'an API that throws is no signal',
        zone: BERLIN,
        head: `window.Shopify = { customerPrivacy: { analyticsProcessingAllowed() { throw new Error('broken') } } }`,
        expected: null,
      },
    ]);
  });

  describe('Global Privacy Control', () => {
    const init = `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })`;
    checkConsent(open, [
      { title: 'takes marketing away, not analytics', zone: NEW_YORK, init, expected: 'analytics' },
      { title: 'grants nothing', zone: BERLIN, init, expected: null },
      {
        title: 'outranks the marketing of a consent tool',
        zone: BERLIN,
        init,
        head: `${TCF} tcf('tcloaded', [1, 3, 4, 7, 8])`,
        expected: 'analytics',
      },
      {
        title: 'yields to what the page says the visitor chose',
        zone: NEW_YORK,
        init,
        head: `window.profit = () => {};
          profit.q = [['consent', { analytics: true, marketing: true }]]`,
        expected: 'analytics+marketing',
        left: ['profit_consent', 'profit_id'],
      },
    ]);
  });

  describe('several at once', () => {
    checkConsent(open, [
      {
        title: 'one refusal among choices is a refusal',
        zone: BERLIN,
        head: `${TCF} tcf('tcloaded', [1, 8]); ${GTAG} gtag('consent', 'update', ${both('denied')})`,
        expected: null,
      },
      {
        title: 'a choice outranks the default of another tool',
        zone: BERLIN,
        head: `${TCF} tcf('tcloaded', [1, 8]); ${GTAG} gtag('consent', 'default', ${both('denied')})`,
        expected: 'analytics',
      },
      {
        title: 'what the page says outranks them all',
        zone: BERLIN,
        head: `${TCF} tcf('tcloaded', []); ${GTAG} gtag('consent', 'update', ${both('denied')})`,
        then: `profit('consent', { analytics: true })`,
        expected: 'analytics',
        left: ['profit_consent', 'profit_id'],
      },
      {
        title: 'a page that says no outranks tools that say yes',
        zone: BERLIN,
        head: `${TCF} tcf('tcloaded', [1, 3, 4, 7, 8])`,
        then: `profit('consent', { analytics: false })`,
        expected: null,
        left: ['profit_consent'],
      },
    ]);
  });
});
