import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Collector } from './support/collector.js';
import { TOKEN, startCollector } from './support/collector.js';
import { openPage } from './support/browser.js';
import { servePage } from './support/serve-page.js';

/** What Shopify gives a custom pixel in its sandbox (Web Pixels API), over the storage of the shop's own page. */
const SANDBOX = `
  const heard = {};
  const on = (name, run) => (heard[name] ??= []).push(run);
  const analytics = { subscribe: on }, customerPrivacy = { subscribe: on };
  const ask = (verb, ...args) => new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => done(data);
    parent.postMessage([verb, ...args], '*', [port2]);
  });
  const browser = { localStorage: {
    getItem: (key) => ask('getItem', key), setItem: (key, value) => ask('setItem', key, value), removeItem: (key) => ask('removeItem', key),
  } };
  const init = { customerPrivacy: { analyticsProcessingAllowed: ALLOWED, marketingAllowed: false } };
  addEventListener('message', ({ data: [name, event] }) => (heard[name] ?? []).forEach((run) => run(event)));`;

describe('pixel: the custom pixel for the sandbox of Shopify', () => {
  let collector: Collector;
  beforeEach(async () => {
    collector = await startCollector();
  });
  afterEach(() => collector.close());

  const start = async (isAllowed: boolean) => {
    const file = await readFile(new URL('../../pixel/shopify-custom-pixel.js', import.meta.url), 'utf8');
    const code = file.replace('pt_svc_…', TOKEN).replace('https://pixel.example.com/v1/collect', collector.endpoint);
    const script = `${SANDBOX.replace('ALLOWED', String(isAllowed))}\n${code}`;
    const site = await servePage({
      '/sandbox': { body: `<!doctype html><script>${script}</script>` },
      '*': `<!doctype html><title>Shop</title><script>
          addEventListener('message', ({ data: [verb, ...args], ports: [port] }) => port.postMessage(localStorage[verb](...args)));
        </script><iframe src="/sandbox" sandbox="allow-scripts allow-forms"></iframe>`,
    });
    const { page, context, errors } = await openPage();
    await page.goto(`${site.origin}/?gclid=abc`, { waitUntil: 'load' });
    const publish = (name: string, event: object): Promise<unknown> =>
      page.evaluate(`frames[0].postMessage(${JSON.stringify([name, event])}, '*')`);
    const happens = (name: string, data: object = {}): Promise<unknown> => {
      const document = { location: { href: `${site.origin}/?gclid=abc` }, referrer: 'https://www.google.com/' };
      return publish(name, { name, timestamp: new Date().toISOString(), context: { document }, data });
    };
    const consents = (isYes: boolean): Promise<unknown> =>
      publish('visitorConsentCollected', {
        customerPrivacy: { analyticsProcessingAllowed: isYes, marketingAllowed: isYes, saleOfDataAllowed: true },
      });
    const kept = (): Promise<string | null> => page.evaluate(`localStorage.getItem('profit_id')`);
    const close = async (): Promise<void> => {
      await context.close();
      await site.close();
    };
    return { page, errors, happens, consents, kept, close };
  };

  it('sends what led to the order, with its checkout token and id, as one visitor', async () => {
    const { happens, close, errors } = await start(true);
    await happens('page_viewed');
    await happens('product_added_to_cart', { cartLine: { merchandise: { sku: 'MUG', product: { id: '12' } } } });
    await happens('checkout_started', { checkout: { token: 'token-1' } });
    await happens('checkout_completed', { checkout: { token: 'token-1', order: { id: 'gid://shopify/Order/5678' } } });
    const events = await collector.received(4);
    expect(events.map(({ type }) => type)).to.deep.equal(['page_view', 'add_to_cart', 'begin_checkout', 'purchase']);
    expect(events[0]).to.include({ referrer: 'https://www.google.com/', consent: 'analytics' });
    expect(events[1]).to.include({ sku: 'MUG', product_id: '12' });
    expect(events[3]).to.include({ checkout_token: 'token-1', order_id: '5678' });
    expect(new Set(events.map(({ anon_id, session_hint }) => [anon_id, session_hint].join())).size).to.equal(1);
    expect(errors).to.deep.equal([]);
    await close();
  });

  for (const answer of ['cut', 503] as const) {
    it(`sends again what was answered by ${answer}, under the same id`, async () => {
      collector.answer = [answer, 204];
      const { happens, close } = await start(true);
      await happens('checkout_completed', { checkout: { token: 'token-1' } });
      const [first, second] = await collector.requested(2);
      expect(second?.[0]?.event_id).to.equal(first?.[0]?.event_id);
      await close();
    });
  }

  it('sends on the next page what this one could not, under the same id, and nothing after a refusal', async () => {
    collector.answer = [503];
    const { happens, consents, page, close } = await start(true);
    const queue = `localStorage.getItem('profit_shopify_queue')`;
    await happens('checkout_completed', { checkout: { token: 'token-1' } });
    const [first] = await collector.requested(1);
    await page.waitForFunction(queue);
    collector.answer = [204];
    await page.reload({ waitUntil: 'load' });
    await happens('page_viewed');
    const events = await collector.received(2);
    expect(events.map(({ type }) => type)).to.deep.equal(['purchase', 'page_view']);
    expect(events[0]?.event_id).to.equal(first?.[0]?.event_id);
    await page.waitForFunction(`!${queue}`);

    collector.answer = [503];
    await happens('page_viewed');
    await page.waitForFunction(queue);
    await consents(false);
    await page.waitForFunction(`!${queue}`);
    await close();
  });

  it('stores and sends nothing before consent, and forgets the visitor at withdrawal', async () => {
    const { happens, consents, kept, page, close } = await start(false);
    await happens('page_viewed');
    await page.waitForTimeout(300);
    expect(collector.batches()).to.deep.equal([]);
    expect(await kept()).to.equal(null);
    await consents(true);
    const [event] = await collector.received(1);
    expect(event).to.include({ type: 'page_view', consent: 'analytics+marketing' });
    await page.waitForFunction(`localStorage.getItem('profit_id')`);
    await consents(false);
    await page.waitForFunction(`!localStorage.getItem('profit_id')`);
    await happens('page_viewed');
    await page.waitForTimeout(300);
    expect(collector.events()).to.have.length(1);
    await close();
  });
});
