import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { startService, type Service } from '../support/service.js';
import { launchBrowser } from './support/browser.js';

/** Runs in the page. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) => {
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
});`;

describe('the documentation page', () => {
  let service: Service;
  let browser: Browser;
  before(async () => {
    service = await startService({ workers: false });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  it('shows every operation, asks no other host and obeys its own security policy', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.addInitScript(REPORT_VIOLATIONS);

    const response = await page.goto(`${service.url}/docs`);
    expect(response?.headers()['content-security-policy']).to.include("script-src 'self'").and.not.include('unsafe');
    const operations = page.locator('.opblock');
    await operations.nth(OPERATIONS.length - 1).waitFor();
    expect(await operations.count()).to.equal(OPERATIONS.length);
    expect(await page.locator('.info .title').innerText()).to.include('Profit metrics');
    expect(await page.getByText('sum_mismatch').count()).to.be.greaterThan(0);

    // Swagger UI warns in red of what it does not know.
    expect(await page.locator('.error-wrapper, .errors-wrapper').count()).to.equal(0);

    // Opened, with its schema and its examples, an operation is still within the policy.
    await page.locator('#operations-Orders-pushOrders .opblock-summary-control').click();
    await page.waitForSelector('#operations-Orders-pushOrders .responses-table');
    await page.locator('#operations-Orders-pushOrders .try-out__btn').click();
    await page.waitForSelector('#operations-Orders-pushOrders textarea');

    expect(complaints).to.deep.equal([]);
    const foreign = requests.filter((url) => !url.startsWith(`${service.url}/`) && !url.startsWith('data:'));
    expect(foreign).to.deep.equal([]);
  });

  for (const [path, shown] of [
    ['/docs', '.opblock'],
    ['/bi', 'main table'],
  ] as const) {
    it(`fits the width of a phone: ${path}`, async () => {
      const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
      await page.goto(service.url + path);
      await page.waitForSelector(shown);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
      await page.close();
    });
  }

  it('lets a browser keep the assets of a version for good, and nothing else', async () => {
    const html = (await service.call('GET', '/docs')).body as string;
    const asset = /docs\/assets\/[\d.]+\/swagger-ui\.css/.exec(html)?.[0] ?? '';
    const answer = await service.call('GET', `/${asset}`);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).to.include('text/css');
    for (const path of ['/docs/assets/1.0.0/swagger-ui.css', asset.replace('swagger-ui.css', 'package.json')]) {
      expect((await service.call('GET', path.startsWith('/') ? path : `/${path}`)).status, path).to.equal(404);
    }
    expect((await service.call('GET', '/docs')).headers.get('cache-control')).to.equal('no-cache');
  });
});
