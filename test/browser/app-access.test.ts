import { expect } from 'chai';
import { createTicket } from '../../src/console/server/ticket.js';
import { ADMIN_TOKEN } from '../console/support.js';
import { becomeVisitor, signOut, turnTo, useApp } from './support/app.js';
import { auditThemes, axePath } from './support/axe.js';
import { servePage } from './support/serve-page.js';
import { quiet } from './support/quiet.js';

/** Pages of a shop, in all their states. */
const PAGES = [
  '',
  '?figure=net_profit',
  '?figure=revenue&view=days',
  '?figure=refunds',
  '?range=yesterday',
  '?range=never',
  '/orders',
  '/orders?q=none',
  '/orders/2?refund=r',
  '/orders/none',
  '/products',
  '/customers',
  '/channels',
  '/changes',
  '/changes?figure=all',
  '/connections',
  '/',
];

describe('the app in a browser: who may, and how it is shown', () => {
  const { service, open, sellingShop } = useApp();

  it('lets the operator in by a printed link, which the address keeps nothing of', async () => {
    const { page } = await open('/developers');
    const { url } = service();
    const link = () => `${url}/signin?next=%2Fdevelopers#ticket=${createTicket(ADMIN_TOKEN, Date.now())}`;
    await signOut(page);
    await page.goto(link());
    await page.waitForURL(`${url}/developers`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goBack();
    expect(page.url()).not.to.contain('ticket');
    await signOut(page);
    await page.goto(`${url}/signin?next=%2Fdevelopers`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    // The same page with another fragment: it is not loaded again.
    await page.goto(link());
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  it('refuses a wrong token in the form, and signs out', async () => {
    const { page } = await open('/developers');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with the admin token' }).click();
    await page.getByLabel('Admin token').fill('not the token');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This is not the admin token.').waitFor();
    await page.goto(`${service().url}/`);
    await page.waitForURL((url) => url.pathname === '/signin');
  });

  it('shows the page of another site nothing: it may not frame the app, and reads no answer of it', async () => {
    const { page } = await open('/developers');
    const { url } = service();
    const read = `fetch('${url}/app/api/shops', { credentials: 'include' }).then((answer) => answer.text(), (error) => error.name)`;
    const evil = await servePage({ '/': `<!doctype html><iframe src="${url}/developers"></iframe>` }, 'localhost');
    try {
      const framed = page.waitForEvent('framenavigated', (frame) => frame !== page.mainFrame());
      await page.goto(evil.origin);
      expect((await framed).url()).to.equal('chrome-error://chromewebdata/');
      expect(await page.evaluate(read)).to.equal('TypeError');
    } finally {
      await evil.close();
    }
    await page.goto(`${url}/developers`);
    expect(await page.evaluate(read)).to.contain('"shops"');
  });

  it('lets the page of another site do nothing, though the operator is signed in', async () => {
    const shop = await service().shop();
    const app = await open('/developers');
    const path = `${service().url}/app/api/shops/${shop.id}/keys`;
    const evil = await servePage(
      {
        '/': `<!doctype html><title>Prize</title>
<form method="post" enctype="text/plain" action="${path}"><input name='{"kind":"secret","a":"' value='"}'></form>
<script>
const send = (mode, type) => fetch('${path}', { method: 'POST', credentials: 'include', mode, body: '{"kind":"secret"}', headers: { 'Content-Type': type } });
Promise.allSettled([send('no-cors', 'text/plain'), send('cors', 'application/json')]).then(() => document.forms[0].submit());
</script>`,
      },
      'localhost',
    );
    try {
      const answer = app.page.waitForResponse(
        (response) => response.url() === path && response.request().isNavigationRequest(),
      );
      await app.page.goto(evil.origin);
      expect((await answer).status()).to.equal(403);
    } finally {
      await evil.close();
    }
    expect(await service().stores.keys.list(shop.id)).to.have.lengthOf(1);
  });

  it('fits into 360 pixels, light and dark', async () => {
    const shop = await sellingShop();
    for (const path of [
      `/shop/${shop.id}`,
      `/shop/${shop.id}/orders`,
      `/developers?shop=${shop.id}`,
      `/developers?shop=${shop.id}&tab=log`,
    ]) {
      const { page } = await open(path, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
      await page.locator('.panel').first().waitFor();
      await quiet(page);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, path).to.equal(360);
      const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(ground).to.equal('rgb(20, 19, 18)');
    }
  });

  if (axePath() !== null) {
    it('has no page in which axe finds anything wrong, light or dark, and all fit into 1440, 768 and 390 pixels', async () => {
      const shop = await sellingShop();
      const empty = await service().shop({ currency: 'GBP', timezone: 'UTC' });
      const { page } = await open(`/shop/${shop.id}`);
      await becomeVisitor(page, service(), shop.id, Date.now() - 3_600_000);
      const expectGood = async (path: string): Promise<void> => {
        for (const width of [768, 390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await quiet(page);
          expect(await page.evaluate('document.documentElement.scrollWidth'), `${path} at ${width}`).to.equal(width);
          // Between the two it is laid out as the one or the other.
          if (width !== 768) expect(await auditThemes(page), `${path} at ${width}`).to.deep.equal([]);
        }
      };
      for (const path of PAGES) {
        await page.goto(`${service().url}${path === '/' ? path : `/shop/${shop.id}${path}`}`);
        await expectGood(path);
      }
      await page.goto(`${service().url}/shop/${empty.id}`);
      await page.getByText('2 of 6 done').waitFor();
      await expectGood('first run');
    });

    it('has no dialog in which axe finds anything wrong, light or dark', async () => {
      const shop = await sellingShop();
      const { page } = await open(`/shop/${shop.id}`);
      await page.locator('.range-button').click();
      await page.getByRole('dialog', { name: 'Choose days' }).waitFor();
      expect(await auditThemes(page), 'days').to.deep.equal([]);
      await page.goto(`${service().url}/developers?shop=${shop.id}&tab=keys`);
      await page.getByRole('row').first().waitFor();
      await quiet(page);
      expect(await auditThemes(page), 'developers').to.deep.equal([]);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await auditThemes(page), 'new key').to.deep.equal([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('group', { name: 'API key' }).waitFor();
      expect(await auditThemes(page), 'shown key').to.deep.equal([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Password').waitFor();
      expect(await auditThemes(page), 'sign-in').to.deep.equal([]);
    });
  }

  it('says that it does not know a shop, and shows the figures of no other', async () => {
    const shop = await sellingShop();
    const { page } = await open('/developers?shop=no-such-shop');
    await page.getByText('There is no shop “no-such-shop” here.').waitFor();
    expect(await page.locator('data, .panel').count()).to.equal(0);
    await page.getByLabel('Shop').selectOption(shop.id);
    await page.waitForURL((url) => url.searchParams.get('shop') === shop.id);
    await page.locator('.panel').first().waitFor();
    for (const path of ['', '/orders', '/orders/1', '/products', '/channels', '/changes', '/connections', '/none']) {
      await page.goto(`${service().url}/shop/no-such-shop${path}`);
      await page.getByText('There is no shop “no-such-shop” here.').waitFor();
      expect(await page.locator('data, .panel').count()).to.equal(0);
      expect(await page.getByRole('alert').getByRole('link').last().innerText()).to.equal('All shops');
    }
    await page.goto(`${service().url}/shop/${shop.id}/no-such-page`);
    await page.getByText('The address names no page of this app.').waitFor();
    expect(await page.locator('data, .panel').count()).to.equal(0);
    await page.getByRole('alert').getByRole('link', { name: 'All shops' }).click();
    await page.getByRole('heading', { name: 'All shops' }).waitFor();
    await turnTo(page, service(), shop.id);
    await page.getByRole('main').getByRole('link', { name: shop.id, exact: true }).click();
    await page.locator('[data-figure=earnings] data').waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/shop/${shop.id}`);
  });
});
