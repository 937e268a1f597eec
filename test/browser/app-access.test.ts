import { expect } from 'chai';
import { useApp } from './support/app.js';
import { audit, axePath } from './support/axe.js';
import { servePage } from './support/serve-page.js';

describe('the app in a browser: who may, and how it is shown', () => {
  const { service, open, sellingShop } = useApp();

  it('refuses a wrong token in the form, and signs out', async () => {
    const { page } = await open('/developers');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin token').fill('not the token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This is not the admin token.').waitFor();
    await page.goto(`${service().url}/`);
    expect(new URL(page.url()).pathname).to.equal('/signin');
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
    for (const path of [`/?shop=${shop.id}`, `/developers?shop=${shop.id}`]) {
      const { page } = await open(path, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, path).to.equal(360);
      const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(ground).to.equal('rgb(16, 21, 27)');
    }
  });

  if (axePath() !== null) {
    it('has nothing that axe finds wrong, in any state, light and dark', async function () {
      this.timeout(240_000);
      const shop = await sellingShop();
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await open(`/?shop=${shop.id}`, { colorScheme });
        await page.locator('.statement').waitFor();
        await page.waitForLoadState('networkidle');
        expect(await audit(page), `dashboard, ${colorScheme}`).to.deep.equal([]);
        await page.getByRole('button', { name: 'About Revenue', exact: true }).click();
        await page.getByText('Show the days as a table').click();
        expect(await audit(page), `dashboard open, ${colorScheme}`).to.deep.equal([]);
        await page.getByRole('button', { name: 'Show what it is made of' }).click();
        await page.getByRole('dialog').locator('tfoot').waitFor();
        expect(await audit(page), `figure explained, ${colorScheme}`).to.deep.equal([]);
        await page.keyboard.press('Escape');
        await page.getByLabel('Period').selectOption('yesterday');
        await page.getByText('Nothing was sold, returned or advertised').waitFor();
        expect(await audit(page), `dashboard empty, ${colorScheme}`).to.deep.equal([]);
        await page.goto(`${service().url}/developers?shop=${shop.id}`);
        await page.getByRole('row').first().waitFor();
        await page.waitForLoadState('networkidle');
        expect(await audit(page), `developers, ${colorScheme}`).to.deep.equal([]);
        await page.getByRole('button', { name: 'Create key' }).click();
        expect(await audit(page), `new key, ${colorScheme}`).to.deep.equal([]);
        await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
        await page.getByRole('group', { name: 'API key' }).waitFor();
        expect(await audit(page), `shown key, ${colorScheme}`).to.deep.equal([]);
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByLabel('Admin token').waitFor();
        expect(await audit(page), `sign-in, ${colorScheme}`).to.deep.equal([]);
      }
    });
  }

  it('says that it does not know a shop, and shows the figures of no other', async () => {
    const shop = await sellingShop();
    for (const path of ['/', '/developers']) {
      const { page } = await open(`${path}?shop=no-such-shop`);
      await page.getByText('There is no shop “no-such-shop” here.').waitFor();
      expect(await page.locator('data, .panel').count()).to.equal(0);
      await page.getByLabel('Shop').selectOption(shop.id);
      await page.waitForURL((url) => url.searchParams.get('shop') === shop.id);
      await page.locator('.panel').first().waitFor();
    }
  });
});
