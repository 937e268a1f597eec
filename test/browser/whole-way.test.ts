import { expect } from 'chai';
import type { ChannelRow } from '../../src/schemas/attribution.js';
import { until } from '../embedded/processes.js';
import { startService, type Service } from '../support/service.js';
import { openPage } from './support/browser.js';
import { serve } from './support/serve-page.js';

/** A consent tool as Cookiebot is: its choice is in a cookie, which all hosts of a domain read. */
const BANNER = `<script>
  const domain = location.hostname.split('.').slice(-2).join('.');
  const read = () => window.Cookiebot = {
    hasResponse: document.cookie.includes('CookieConsent='), consent: { statistics: document.cookie.includes('CookieConsent=yes') },
  };
  read();
  function accept() {
    document.cookie = 'CookieConsent=yes;path=/;domain=' + domain;
    read();
    dispatchEvent(new Event('CookiebotOnAccept'));
  }
</script>`;

describe('the whole way from an ad to its channel', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  for (const [what, till, known] of [
    ['another host of its domain, by the cookie of that domain', 'till.shop.test', '{}'],
    ['the host of a service, by the checkout token', 'pay.service.test', `{ checkout_token: 'checkout-1' }`],
    ['the host of a service, by the decorated link', 'pay.service.test', '{}'],
  ] as const) {
    it(`leads over consent on page 3, a checkout on ${what}, a bank and the thank-you page`, async () => {
      const shop = await service.shop();
      const source = { platform: 'custom', currency: 'EUR', timezone: 'UTC', shop_domain: 'www.shop.test' };
      expect((await shop.call('PUT', '/v1/source', source)).status).to.equal(200);
      const token = await service.key(shop.id, 'pixel');
      const head = `<!doctype html><title>Shop</title>${BANNER}
        <script>window.profit = window.profit || function () { (profit.q = profit.q || []).push(arguments); };</script>
        ${what.includes('link') ? `<script defer src="${service.url}/decorate.js" data-hosts="shop.test, service.test"></script>` : ''}
        <script defer src="${service.url}/pixel.js" data-token="${token}" data-cookie-domain="shop.test"></script>
        <button onclick="accept()">Accept</button>`;
      const begin = `profit('track', 'begin_checkout', ${known})`;
      const pages: Record<string, string> = {
        '/': `${head}<a href="/mugs">Mugs</a>`,
        '/mugs': `${head}<a href="/cart">Cart</a>`,
        '/cart': `${head}<a href="http://${till}:PORT/pay" onclick="${begin}">Checkout</a>`,
        '/pay': `${head}<a href="http://acs.bank.test:PORT/3ds">Pay</a>`,
        '/3ds': `<!doctype html><title>Bank</title><a href="http://${till}:PORT/thanks">Confirm</a>`,
        '/thanks': `${head}<script>profit('purchase', { order_id: '1001', ...${known} })</script>`,
      };
      const site = await serve('www.shop.test', ({ url }) => {
        const body = pages[url.replace(/\?.*/, '')]?.replaceAll('PORT', String(site.port));
        return body === undefined ? undefined : { body };
      });
      const { page, context, errors } = await openPage({ timezoneId: 'Europe/Berlin' });
      const sent: string[] = [];
      context.on('request', (request) => {
        if (request.url().endsWith('/v1/collect')) sent.push(request.postData() ?? '');
      });
      const go = async (link: string, path: string): Promise<void> => {
        await page.click(`text=${link}`);
        await page.waitForURL(`**${path}`);
        await page.waitForLoadState('load');
      };

      await page.goto(`${site.origin}/?gclid=Cj0KCQ-test`, { referer: 'https://www.google.com/' });
      await go('Mugs', '/mugs');
      await go('Cart', '/cart');
      expect(sent).to.deep.equal([]);
      expect(await page.evaluate('Object.keys(localStorage)')).to.deep.equal([]);
      expect(await context.cookies()).to.deep.equal([]);
      const collected = page.waitForResponse((response) => response.url().endsWith('/v1/collect'));
      await page.click('text=Accept');
      await collected;
      await go('Checkout', '/pay');
      // The choice of another domain is another one.
      if (till !== 'till.shop.test') await page.click('text=Accept');
      await page.waitForFunction(`localStorage.getItem('profit_id')`);
      await go('Pay', '/3ds');
      await go('Confirm', '/thanks');
      await until('the purchase is sent', () => Promise.resolve(sent.some((body) => body.includes('"purchase"'))));

      const line_items = [{ line_id: '1', quantity: '1', unit_price: '89.90' }];
      const order = {
        order_id: '1001',
        placed_at: new Date().toISOString(),
        currency: 'EUR',
        status: 'paid',
        line_items,
      };
      const named = known === '{}' ? {} : { checkout_token: 'checkout-1' };
      await shop.call('POST', '/v1/orders', { orders: [{ ...order, total: '89.90', ...named }] });
      const credited = async (): Promise<ChannelRow[]> => {
        await service.settled();
        return (await shop.call('GET', '/v1/attribution')).body.channels as ChannelRow[];
      };
      await until('the order has a channel', async () => (await credited())[0]?.channel !== 'unattributed');
      expect((await credited()).map(({ channel, orders, proved }) => [channel, orders, proved.orders])).to.deep.equal([
        ['google_ads', 1, 1],
        ['unattributed', 0, 0],
      ]);
      expect(errors).to.deep.equal([]);
      await context.close();
      await site.close();
    });
  }
});
