import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { TOKEN } from './support/collector.js';
import { batchErrors } from './support/event-schema.js';
import { digested, scriptTag, TELLS_DIGEST, useShop } from './support/shop.js';

describe('pixel: events', () => {
  const open = useShop();

  it('have the form that the collector knows, and travel as one plain-text request without credentials', async () => {
    const { visit, call, leave, collector, site, context } = await open({ host: 'localhost', still: true });
    await context.addCookies([{ name: 'who', value: '1', url: collector.origin }]);
    await visit('/p/shoe?utm_source=mail&email=ann%40example.com#top', { referer: 'https://search.example/?q=shoe' });
    await call(`'track', 'product_view', { product_id: 812, sku: 'SHOE-1' }`);
    await call(`'track', 'add_to_cart', { product_id: '812', sku: 'SHOE-1', quantity: 2 }`);
    await call(`'track', 'begin_checkout', { checkout_token: 'chk_1' }`);
    await call(`'purchase', { order_id: 5678901234567, checkout_token: 'chk_1' }`);
    const events = await leave();

    expect(collector.batches().map(({ method }) => method)).to.deep.equal(['POST']);
    const [batch] = collector.batches();
    const body = batch?.body ?? '';
    const headers = batch?.headers ?? {};
    expect(batchErrors(body)).to.deep.equal([]);
    expect((JSON.parse(body) as { token: string }).token).to.equal(TOKEN);
    expect(headers['content-type']).to.match(/^text\/plain/);
    expect(headers.cookie).to.equal(undefined);
    expect(collector.requests[0]?.headers.cookie, 'with the script').to.equal('who=1');
    expect(headers.origin).to.equal(site.origin);

    expect(events.map(({ type }) => type)).to.deep.equal([
      'page_view',
      'product_view',
      'add_to_cart',
      'begin_checkout',
      'purchase',
    ]);
    expect(events[0]).to.include({
      url: `${site.origin}/p/shoe?utm_source=mail&email=ann%40example.com#top`,
      referrer: 'https://search.example/?q=shoe',
    });
    expect(events[1]).to.include({ product_id: '812', sku: 'SHOE-1' });
    expect(events[2]).to.include({ quantity: '2' });
    expect(events[4]).to.include({ order_id: '5678901234567', checkout_token: 'chk_1' });
    expect(new Set(events.map(({ event_id }) => event_id)).size).to.equal(5);
    expect(new Set(events.map(({ anon_id }) => anon_id)).size).to.equal(1);
  });

  it('carry no money and nothing that the collector does not know', async () => {
    const { visit, call, leave, collector } = await open();
    await visit();
    await call(`'track', 'add_to_cart', { sku: 'A', price: '9.99', value: 9.99, currency: 'EUR', title: 'Shoe' }`);
    await call(`'purchase', { order_id: '1', total: '99.00', revenue: 99 }`);
    const [, cart, purchase] = await leave();
    expect(collector.batches().flatMap(({ body }) => batchErrors(body))).to.deep.equal([]);
    expect(cart).to.include({ sku: 'A' });
    expect(purchase).to.include({ order_id: '1' });
    expect(collector.batches()[0]?.body).not.to.match(/9\.99|99\.00|EUR|price|revenue/);
  });

  it('leave out values of the wrong form, and are left out where they would be refused', async () => {
    const { visit, call, leave, errors } = await open();
    await visit();
    await call(`'track', 'add_to_cart', { sku: '', product_id: { a: 1 }, quantity: '-1', order_id: 'x'.repeat(256) }`);
    await call(`'track', 'add_to_cart', { sku: 'A\\nB', product_id: '7', order_id: '\\u{1F6D2}'.repeat(255) }`);
    await call(`'track', 'add_to_cart', null`);
    await call(`'purchase', {}`);
    await call(`'purchase'`);
    await call(`'track', 'refund', { order_id: '1' }`);
    await call(`'track', 'identify', { email_hash: 'ab' }`);
    await call(`'nothing of ours', 1`);
    await call(`'__proto__'`);
    await call('');
    const events = await leave();
    expect(events.map(({ type }) => type)).to.deep.equal(['page_view', 'add_to_cart', 'add_to_cart', 'add_to_cart']);
    expect(events[1]).not.to.have.any.keys('sku', 'product_id', 'quantity', 'order_id');
    expect(events[2])
      .to.include({ product_id: '7', order_id: '\u{1F6D2}'.repeat(255) })
      .and.not.have.property('sku');
    expect(errors).to.deep.equal([]);
  });

  it('carry the client id of a Shopify store, once there is consent', async () => {
    const { visit, leave } = await open({
      tag: `<script>document.cookie = '_shopify_y=1b2c-3d; path=/'</script>TAG`,
    });
    await visit();
    expect((await leave())[0]).to.include({ store_client_id: '1b2c-3d' });
  });

  describe('identify', () => {
    const email = 'ann.lee@example.com';
    const digest = createHash('sha256').update(email).digest('hex');

    it('sends the digest of the trimmed, lowercased address, and the address nowhere', async () => {
      const { visit, call, leave, collector, page } = await open({ init: TELLS_DIGEST });
      await visit();
      await call(`'identify', '  Ann.Lee@Example.com '`);
      await digested(page);
      const [, identify] = await leave();
      expect(identify).to.include({ type: 'identify', email_hash: digest, consent: 'analytics+marketing' });
      expect(collector.batches().flatMap(({ body }) => batchErrors(body))).to.deep.equal([]);
      expect(JSON.stringify(collector.requests)).not.to.match(/ann\.lee/i);
    });

    it('is dropped without marketing consent, for good', async () => {
      const { visit, call, leave, page } = await open({ attributes: 'data-region="DE"' });
      await visit();
      await call(`'identify', '${email}'`);
      await call(`'consent', { analytics: true, marketing: false }`);
      await page.evaluate(`profit('identify', '${email}'); profit('consent', { analytics: true, marketing: true })`);
      await page.waitForTimeout(100);
      expect((await leave()).map(({ type }) => type)).to.deep.equal(['page_view']);
    });

    it('is dropped for what is no address', async () => {
      const { visit, call, leave, page, errors } = await open();
      await visit();
      for (const value of [`''`, `'ann'`, '7', 'null', '{}', '']) await call(`'identify', ${value}`);
      await page.waitForTimeout(100);
      expect(await leave()).to.have.length(1);
      expect(errors).to.deep.equal([]);
    });
  });

  it('come from the block that the README shows', async () => {
    const readme = await readFile(new URL('../../pixel/README.md', import.meta.url), 'utf8');
    const block = /```html\n([^]*?)```/.exec(readme)?.[1] ?? '';
    const tag = block.replace('https://pixel.example.com/pixel.js', 'SCRIPT').replace('pt_svc_…', TOKEN);
    const { visit, leave, collector } = await open({ tag: `${tag}<script>profit('track', 'add_to_cart')</script>` });
    await visit();
    expect((await leave()).map(({ type }) => type)).to.deep.equal(['page_view', 'add_to_cart']);
    expect(batchErrors(collector.batches()[0]?.body ?? '')).to.deep.equal([]);
  });

  it('queued before the script has loaded are replayed in order', async () => {
    const { visit, page, leave } = await open({
      tag: `<script>
          window.profit = window.profit || function () { (profit.q = profit.q || []).push(arguments) };
          window.early = profit;
          profit('consent', { analytics: true, marketing: true });
          profit('track', 'product_view', { sku: 'A' });
          profit('purchase', { order_id: '7' });
        </script>TAG`,
      attributes: 'data-region="DE"',
    });
    await visit();
    await page.evaluate(`early('track', 'add_to_cart', { sku: 'B' })`);
    expect((await leave()).map(({ type }) => type)).to.deep.equal([
      'page_view',
      'product_view',
      'purchase',
      'add_to_cart',
    ]);
  });

  it('go through a function of the name that the tag gives, and to the endpoint that it gives', async () => {
    const other = await open();
    const { visit, page, leave, collector } = await open({
      attributes: `data-name="metrics" data-endpoint="${other.collector.endpoint}?shop=1"`,
    });
    await visit();
    await page.evaluate(`metrics('track', 'add_to_cart')`);
    expect(await page.evaluate('typeof window.profit')).to.equal('undefined');
    expect(await leave()).to.deep.equal([]);
    expect(collector.batches()).to.deep.equal([]);
    const events = await other.collector.received(2);
    expect(events.map(({ type }) => type)).to.deep.equal(['page_view', 'add_to_cart']);
    expect(other.collector.batches()[0]?.url).to.equal('/v1/collect?shop=1');
  });

  it('take an attribute that a template left empty for absent', async () => {
    const { visit, call, leave } = await open({
      attributes: 'data-name="" data-endpoint="" data-region="" data-page-views=""',
    });
    await visit();
    await call(`'track', 'add_to_cart'`);
    expect((await leave()).map(({ type }) => type)).to.deep.equal(['page_view', 'add_to_cart']);
  });

  it('of a script that the page inserts itself are the same', async () => {
    const { visit, page, collector } = await open({ tag: '' });
    await visit();
    await page.evaluate(`document.body.append(
      document.createRange().createContextualFragment(${JSON.stringify(scriptTag(collector))}))`);
    expect(await collector.received(1)).to.have.length(1);
  });
});
