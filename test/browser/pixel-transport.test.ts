import { expect } from 'chai';
import { batchErrors } from './support/event-schema.js';
import { useShop, type Shop } from './support/shop.js';

describe('pixel: transport', () => {
  const open = useShop();

  const sizes = ({ collector }: Shop): number[] =>
    collector.batches().map(({ body }) => (JSON.parse(body) as { events: unknown[] }).events.length);

  it('gathers the events of about a second into one request', async () => {
    const { visit, call, collector } = await open();
    await visit();
    await call(`'track', 'product_view'`);
    await call(`'track', 'add_to_cart'`);
    await collector.received(3);
    expect(collector.batches()).to.have.length(1);
  });

  it('sends twenty events at once, and never more', async () => {
    const opened = await open();
    await opened.visit();
    await opened.page.evaluate(`for (let i = 0; i < 44; i++) profit('track', 'product_view', { sku: String(i) })`);
    const events = await opened.leave();
    expect(sizes(opened)).to.deep.equal([20, 20, 5]);
    expect(events.slice(1).map(({ sku }) => sku)).to.deep.equal(Array.from({ length: 44 }, (_, i) => String(i)));
    expect(opened.collector.batches().flatMap(({ body }) => batchErrors(body))).to.deep.equal([]);
  });

  it('keeps a batch under 64 KB, counted in bytes, and leaves out an event that alone is over it', async () => {
    const opened = await open();
    await opened.visit();
    // Each view carries its URL and the one before. The last is longer than a batch may be.
    await opened.page.evaluate(`for (let i = 0; i < 13; i++) {
      history.pushState({}, '', '/' + i + 'x'.repeat(i === 12 ? 70_000 : 6000)) }`);
    await opened.collector.received(13);
    const bodies = opened.collector.batches().map(({ body }) => Buffer.byteLength(body));
    expect(bodies.length).to.be.within(3, 4);
    expect(Math.max(...bodies)).to.be.within(40_000, 64_000);
    await opened.page.waitForTimeout(1500);
    expect(opened.collector.events()).to.have.length(13);
  });

  it('counts bytes, not characters', async () => {
    const opened = await open();
    await opened.visit();
    await opened.page.evaluate(
      `for (let i = 0; i < 18; i++) profit('track', 'product_view', Object.fromEntries(
        ['sku', 'product_id', 'order_id', 'checkout_token'].map((name) => [name, '\u20ac'.repeat(255)])))`,
    );
    const events = await opened.collector.received(19);
    expect(events).to.have.length(19);
    expect(opened.collector.batches()).to.have.length(2);
  });

  for (const [how, script] of [
    ['when the page is left', `location.href = 'about:blank'`],
    [
      'when the page is hidden',
      `Object.defineProperty(document, 'hidden', { get: () => true }); document.dispatchEvent(new Event('visibilitychange'))`,
    ],
  ] as const) {
    it(`sends what is queued ${how}, without waiting`, async () => {
      const { visit, page, collector } = await open();
      await visit();
      await page.evaluate(`profit('purchase', { order_id: '1' }); ${script}`).catch(() => undefined);
      const began = Date.now();
      await collector.received(2);
      expect(Date.now() - began).to.be.lessThan(700);
    });
  }

  it('sends what is queued when the tab is closed', async () => {
    const { visit, page, collector, call } = await open();
    await visit();
    await call(`'purchase', { order_id: '1' }`);
    await page.close({ runBeforeUnload: true });
    expect((await collector.received(2)).map(({ type }) => type)).to.deep.equal(['page_view', 'purchase']);
  });

  it('leaves with a beacon where the browser has no keepalive', async () => {
    const { visit, page, leave, collector } = await open({
      init: `delete Request.prototype.keepalive;
        const send = navigator.sendBeacon.bind(navigator);
        navigator.sendBeacon = (url, body) => { localStorage.beacons = url; return send(url, body) }`,
    });
    await visit();
    const events = await leave();
    expect(events.map(({ type }) => type)).to.deep.equal(['page_view']);
    expect(collector.batches()[0]?.headers['content-type']).to.match(/^text\/plain/);
    await page.goBack({ waitUntil: 'commit' });
    expect(await page.evaluate('localStorage.beacons')).to.equal(collector.endpoint);
  });

  for (const status of [400, 401, 413, 429, 500, 503]) {
    it(`does not repeat what a server answered with ${status}`, async () => {
      const { visit, page, collector } = await open();
      collector.answer = status;
      await page.clock.install();
      await visit();
      await page.clock.runFor(1000);
      await collector.received(1);
      await page.waitForTimeout(200);
      await page.clock.runFor(10_000);
      await page.waitForTimeout(200);
      expect(collector.batches()).to.have.length(1);
    });
  }

  it('repeats what met no server, three times in all, with the same event ids', async () => {
    const { visit, page, collector } = await open();
    collector.answer = 'cut';
    await page.clock.install();
    await visit();
    for (const seconds of [1, 4, 4, 4, 4]) {
      await page.clock.runFor(seconds * 1000);
      await page.waitForTimeout(400);
    }
    const sent = new Set(collector.events().map(({ event_id }) => event_id));
    expect(sent.size).to.equal(1);
    // Chromium itself repeats a request once when a kept connection breaks, so a try may be seen twice.
    expect(collector.batches().length).to.be.within(3, 6);
  });

  it('delivers once the network is back, together with what came since', async () => {
    const { visit, page, call, collector, context } = await open();
    await visit();
    await context.setOffline(true);
    await page.waitForTimeout(1300);
    await call(`'track', 'add_to_cart'`);
    await context.setOffline(false);
    const events = await collector.received(2);
    expect(events.map(({ type }) => type)).to.deep.equal(['page_view', 'add_to_cart']);
  });

  it('repeats nothing that was under way when consent was withdrawn', async () => {
    const { visit, page, call, context, collector } = await open();
    const asked: string[] = [];
    let abort = (): void => undefined;
    const held = new Promise<void>((resolve) => (abort = resolve));
    await context.route(collector.endpoint, async (route) => {
      asked.push(route.request().postData() ?? '');
      await held;
      await route.abort();
    });
    await page.clock.install();
    await visit();
    await page.clock.runFor(1500);
    await call(`'consent', { analytics: false }`);
    await call(`'consent', { analytics: true }`);
    abort();
    await page.waitForTimeout(200);
    await page.clock.runFor(10_000);
    await page.waitForTimeout(200);
    const ids = asked.map((body) => (JSON.parse(body) as { events: { anon_id: string }[] }).events[0]?.anon_id);
    expect(ids.length).to.be.greaterThan(1);
    expect(ids.slice(1)).not.to.include(ids[0]);
  });

  it('repeats nothing after consent was withdrawn', async () => {
    const { visit, page, call, collector } = await open();
    collector.answer = 'cut';
    await page.clock.install();
    await visit();
    await page.clock.runFor(1500);
    await page.waitForTimeout(200);
    const [withdrawn] = collector.events();
    const before = collector.batches().length;
    expect(before).to.be.greaterThan(0);
    await call(`'consent', { analytics: false }`);
    await page.clock.runFor(20_000);
    await page.waitForTimeout(200);
    expect(collector.batches()).to.have.length(before);
    await call(`'consent', { analytics: true }`);
    await page.clock.runFor(20_000);
    await page.waitForTimeout(200);
    const later = collector.events().slice(before);
    expect(later).not.to.have.length(0);
    expect(later.map(({ event_id }) => event_id)).not.to.include(withdrawn?.event_id);
  });
});
