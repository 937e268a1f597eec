import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { TCF } from './support/consent-tools.js';
import { BERLIN, NEW_YORK, NOTHING, TELLS_DIGEST, useShop } from './support/shop.js';

describe('pixel: consent withdrawn', () => {
  const open = useShop();

  /** Makes the page tell when it hears of a refusal in another tab: `page.evaluate('heard')`. */
  const listen = (page: Page): Promise<unknown> =>
    page.evaluate(`window.heard = new Promise((done) =>
      addEventListener('storage', ({ key, newValue }) => { if (key === 'profit_consent' || !newValue) done(true) })); 0`);

  it('deletes the identifiers at once, drops what is queued and sends nothing more', async () => {
    const { visit, call, stored, leave, collector, page } = await open({ timezoneId: BERLIN, still: true });
    await visit();
    await call(`'consent', { analytics: true, marketing: true }`);
    await page.clock.runFor(1500);
    await collector.received(1);
    await page.evaluate(`profit('track', 'product_view', { sku: 'A' });
      profit('consent', { analytics: false, marketing: false }); window.left = localStorage.length`);
    expect(await page.evaluate('left')).to.equal(0);
    await call(`'track', 'add_to_cart', { sku: 'A' }`);
    await page.evaluate(`history.pushState({}, '', '/cart')`);
    await page.clock.runFor(1500);
    expect(await stored()).to.deep.equal(NOTHING);
    expect((await leave()).map(({ type }) => type)).to.deep.equal(['page_view']);
  });

  it('takes marketing alone out of what is queued', async () => {
    const { visit, call, leave, page } = await open({ timezoneId: NEW_YORK, still: true, init: TELLS_DIGEST });
    await visit();
    await call(`'identify', 'ann@example.com'`);
    await page.evaluate('digested.then(() => 0)');
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
    await listen(page);
    await other.evaluate(`profit('consent', { analytics: false })`);
    await page.evaluate('heard');
    await call(`'track', 'add_to_cart', { sku: 'A' }`);
    expect(await stored()).to.deep.equal(NOTHING);
    expect(await leave()).to.have.length(2);
  });

  it('drops what was queued under the earlier identity, even when consent is given again at once', async () => {
    const { visit, page, leave } = await open({ timezoneId: NEW_YORK, still: true });
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
    await listen(page);
    await other.evaluate(`tcf('useractioncomplete', [])`);
    await page.evaluate('heard');
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
    await listen(page);
    await other.evaluate(`tcf('useractioncomplete', [])`);
    await page.evaluate('heard');
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
