import { expect } from 'chai';
import { batchErrors } from './support/event-schema.js';
import { useShop, type Shop } from './support/shop.js';

describe('pixel: transport', () => {
  const open = useShop();

  const sizes = ({ collector }: Shop): number[] =>
    collector.batches().map(({ body }) => (JSON.parse(body) as { events: unknown[] }).events.length);

  it('gathers the events of about a second into one request', async () => {
    const { visit, call, collector, page } = await open({ still: true });
    await visit();
    await call(`'track', 'product_view'`);
    await call(`'track', 'add_to_cart'`);
    await page.clock.runFor(1000);
    await collector.received(3);
    expect(collector.batches()).to.have.length(1);
  });

  it('sends twenty events at once, and never more', async () => {
    const opened = await open({ still: true });
    await opened.visit();
    await opened.page.evaluate(`for (let i = 0; i < 44; i++) profit('track', 'product_view', { sku: String(i) })`);
    const events = await opened.leave();
    // What is sent as the page is left may arrive before what was sent earlier.
    const descending = (a: number, b: number): number => b - a;
    expect(sizes(opened).sort(descending)).to.deep.equal([20, 20, 5]);
    const skus = events.slice(1).map(({ sku }) => Number(sku));
    expect(skus.sort(descending)).to.deep.equal(Array.from({ length: 44 }, (_, i) => 43 - i));
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

  it('sends the next batch when the answer to the one before has ended, so that the browser refuses none', async () => {
    const opened = await open();
    Object.assign(opened.collector, { answer: 200, endsAfter: 300 });
    const said: string[] = [];
    opened.page.on('console', (message) => said.push(message.text()));
    await opened.visit('/?profit_debug');
    await opened.page.evaluate(
      `for (let i = 0; i < 12; i++) history.pushState({}, '', '/' + i + 'x'.repeat(6000) + '?profit_debug')`,
    );
    await opened.collector.received(13);
    expect(said.join('\n'), 'a refused batch is tried again').to.contain(': sent').and.not.contain(': retry');
    expect(opened.collector.batches().length).to.be.within(3, 4);
  });

  it('counts bytes, not characters', async () => {
    const opened = await open({ still: true });
    await opened.visit();
    await opened.page.evaluate(
      `for (let i = 0; i < 18; i++) profit('track', 'product_view', Object.fromEntries(
        ['sku', 'product_id', 'order_id', 'checkout_token'].map((name) => [name, '\u20ac'.repeat(255)])))`,
    );
    await opened.page.clock.runFor(1000);
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
      const { visit, page, collector } = await open({ still: true });
      await visit();
      await page.evaluate(`profit('purchase', { order_id: '1' }); ${script}`).catch(() => undefined);
      expect((await collector.received(2)).map(({ type }) => type)).to.deep.equal(['page_view', 'purchase']);
    });
  }

  it('sends what is queued when a tab is closed', async () => {
    const { context, site, collector } = await open({ still: true });
    // A browser gives a closed tab half a second for its last words. A machine may stall for longer, but not with every tab.
    for (let tab = 0; tab < 5; tab++) {
      const page = await context.newPage();
      await page.goto(site.origin);
      await page.evaluate(`profit('purchase', { order_id: '1' })`);
      await page.close({ runBeforeUnload: true });
    }
    const [sent] = await collector.requested(1);
    expect(sent?.map(({ type }) => type)).to.deep.equal(['page_view', 'purchase']);
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
});
