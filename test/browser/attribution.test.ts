import { expect } from 'chai';
import { until } from '../embedded/processes.js';
import { startService, type Service, type Shop } from '../support/service.js';
import { openPage } from './support/browser.js';
import { servePage, type Site } from './support/serve-page.js';

describe('from an ad click to attributed revenue', () => {
  let service: Service;
  let shop: Shop;
  let site: Site;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    shop = await service.shop();
    const token = await service.key(shop.id, 'pixel');
    // As the pixel's README tells a shop to do it.
    const head = `<!doctype html><title>Shop</title>
      <script>window.profit = window.profit || function () { (profit.q = profit.q || []).push(arguments); };</script>
      <script async src="${service.url}/pixel.js" data-token="${token}"></script>`;
    site = await servePage({
      '/thanks': `${head}<script>profit('purchase', { order_id: '1001' });</script><h1>Thank you</h1>`,
      '/favicon.ico': { body: '', type: 'image/x-icon' },
      '*': `${head}<h1>Shop</h1><a href="/thanks">Buy</a>`,
    });
  });
  afterEach(() => site.close());

  const visit = async (timezoneId: string) => {
    const { page, context, errors } = await openPage({ timezoneId });
    const sent: string[] = [];
    context.on('request', (request) => {
      if (request.url().includes('/v1/collect')) sent.push(request.method());
    });
    const url = `${site.origin}/?utm_source=google&utm_medium=cpc&gclid=Cj0KCQ-test`;
    await page.goto(url, { referer: 'https://www.google.com/', waitUntil: 'load' });
    return { page, context, errors, sent };
  };
  const channels = async (): Promise<{ channel: string; orders: number; revenue: string; proved: unknown }[]> => {
    await service.settled();
    const { body } = await shop.call('GET', '/v1/attribution');
    return body.channels as { channel: string; orders: number; revenue: string; proved: unknown }[];
  };
  const stored = async (): Promise<number> => {
    const [row] = await service.stores.warehouse.query<{ n: string }>(
      'SELECT count() AS n FROM events FINAL WHERE shop_id = {shop:String}',
      { shop: shop.id },
    );
    return Number(row?.n);
  };
  const pushOrder = async (): Promise<void> => {
    const line_items = [{ line_id: '1', quantity: '1', unit_price: '89.90' }];
    const order = { order_id: '1001', placed_at: new Date().toISOString(), currency: 'EUR', status: 'paid' };
    const { body } = await shop.call('POST', '/v1/orders', { orders: [{ ...order, line_items, total: '89.90' }] });
    expect(body.accepted).to.equal(1);
  };

  it('shows the revenue of an order under the channel of the ad', async () => {
    const { page, context, errors, sent } = await visit('America/New_York');
    const answer = page.waitForResponse((response) => response.request().postData()?.includes('"purchase"') ?? false);
    await page.click('text=Buy');
    expect((await answer).status()).to.equal(204);
    // What the landing page sent when it was left may arrive after that.
    await until('all events are stored', async () => (await stored()) === 3);
    await pushOrder();
    const [first] = await channels();
    expect(first).to.include({ channel: 'google_ads', orders: 1, revenue: '89.90' });
    expect(first?.proved).to.deep.equal({ orders: 1, revenue: '89.90', net_revenue: '89.90' });
    expect(new Set(sent), 'no preflight').to.deep.equal(new Set(['POST']));
    expect(errors).to.deep.equal([]);
    await context.close();
  });

  it('sends and stores nothing before consent, and then the ad with which the visit began', async () => {
    const { page, context, sent } = await visit('Europe/Berlin');
    await page.click('text=Buy');
    await page.waitForURL('**/thanks');
    await page.waitForTimeout(1_500);
    expect(sent).to.deep.equal([]);
    expect(await page.evaluate('Object.keys(localStorage).length + document.cookie.length')).to.equal(0);
    await pushOrder();
    expect((await channels()).map((row) => [row.channel, row.orders])).to.deep.equal([['unattributed', 1]]);
    const answer = page.waitForResponse((response) => response.url().endsWith('/v1/collect'));
    await page.evaluate(
      "profit('consent', { analytics: true, marketing: false }); profit('purchase', { order_id: '1001' })",
    );
    expect((await answer).status()).to.equal(204);
    expect(sent).to.deep.equal(['POST']);
    await context.close();
    expect((await channels()).map((row) => [row.channel, row.orders])).to.deep.equal([
      ['google_ads', 1],
      ['unattributed', 0],
    ]);
  });
});
