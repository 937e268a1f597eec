import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';
import { audit } from './support/axe.js';
import { openPage } from './support/browser.js';

/** Runs in the page. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) => {
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
});`;

describe('the pages of the documentation', function () {
  this.timeout(600_000);
  let service: Service;
  let paths: string[];
  before(async () => {
    service = await startService({ workers: false });
    const { body } = await service.call('GET', '/llms.txt');
    paths = [...String(body).matchAll(/\]\(([^)]+)\.md\)/g)].map(([, path = '']) => `/${path}`);
  });
  after(() => service.stop());

  for (const [width, scheme, turn] of [
    [1440, 'light', 0],
    [390, 'dark', 1],
  ] as const) {
    it(`fit the width, and are accessible, light and dark, ${width} wide`, async () => {
      expect(paths).to.include.members(['/docs', '/bi', '/docs/reference/orders']);
      const { page, context } = await openPage({ viewport: { width, height: 900 } });
      for (const [at, path] of paths.entries()) {
        await page.goto(service.url + path);
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).to.be.at.most(width);
        // All share a style sheet: the first is looked at in both themes and widths, each other in one of either.
        if (path !== '/docs' && at % 2 !== turn) continue;
        for (const colorScheme of path === '/docs' ? (['light', 'dark'] as const) : [scheme]) {
          await page.emulateMedia({ colorScheme });
          expect(await audit(page), `${path} ${colorScheme}`).to.deep.equal([]);
        }
      }
      await context.close();
    });
  }

  it('ask no other host, obey their own security policy and run no script of their text', async () => {
    const { page, context, errors } = await openPage();
    const requests: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    page.on('request', (request) => requests.push(request.url()));
    await page.addInitScript(REPORT_VIOLATIONS);
    for (const path of paths) await page.goto(service.url + path);
    expect(errors).to.deep.equal([]);
    expect(requests.filter((url) => !url.startsWith(`${service.url}/`))).to.deep.equal([]);
    await context.close();
  });

  it('open at the line that an address names, and lead on to the code of an error', async () => {
    const { page, context } = await openPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${service.url}/docs/reference/orders#post-v1orders`);
    const heading = page.getByRole('heading', { name: 'POST /v1/orders', exact: true });
    expect((await heading.boundingBox())?.y).to.be.within(0, 100);
    await page.getByRole('link', { name: 'sum_mismatch' }).first().click();
    await page.waitForURL('**/docs/reference#sum_mismatch');
    expect((await page.locator('#sum_mismatch').boundingBox())?.y).to.be.within(0, 900);
    await context.close();
  });

  it('keep the chosen theme from page to page and into the app, and copy what stands in an example', async () => {
    const { page, context } = await openPage({ colorScheme: 'light' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${service.url}/docs`);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await page.getByRole('link', { name: 'Costs', exact: true }).first().click();
    await page.waitForURL('**/docs/costs');
    const isDark = () => page.evaluate(`document.documentElement.dataset.theme`);
    expect(await isDark()).to.equal('dark');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).to.equal(await page.locator('pre code').first().textContent());
    await page.goto(`${service.url}/signin`);
    expect(await isDark()).to.equal('dark');
    await context.close();
  });

  it('are whole without a script', async () => {
    const { page, context } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${service.url}/docs/shopify`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).to.equal('Shopify in five minutes');
    expect(await page.locator('article tr').count()).to.be.above(50);
    expect(await page.getByRole('button').count()).to.equal(0);
    await page.getByRole('link', { name: 'WooCommerce in five minutes' }).click();
    await page.waitForURL('**/docs/woocommerce');
    await context.close();
  });
});
