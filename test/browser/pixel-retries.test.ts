import { expect } from 'chai';
import { batchErrors } from './support/event-schema.js';
import { useShop, type Shop } from './support/shop.js';

describe('pixel: retries', () => {
  const open = useShop();

  /** Runs the clock of the page, second by second, with time for each answer to arrive. */
  const run = async ({ page, idle }: Shop, seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) {
      await page.clock.runFor(1000);
      await page.waitForTimeout(20);
      await idle();
    }
  };
  const ids = ({ collector }: Shop): string[] =>
    collector
      .batches()
      .map(({ body }) =>
        (JSON.parse(body) as { events: { event_id: string }[] }).events.map(({ event_id }) => event_id).join(),
      );

  for (const status of [400, 401, 403, 404, 413, 415]) {
    it(`does not repeat what the server refused with ${status}`, async () => {
      const opened = await open({ still: true });
      opened.collector.answer = status;
      await opened.visit();
      await run(opened, 25);
      expect(opened.collector.batches()).to.have.length(1);
    });
  }

  for (const status of [408, 429, 500, 502, 503, 504]) {
    it(`sends a purchase again after ${status}, with the same event ids, until it is taken`, async () => {
      const opened = await open({ still: true });
      opened.collector.answer = [status, status, 204];
      await opened.visit();
      await opened.call(`'purchase', { order_id: '1001' }`);
      await run(opened, 40);
      await opened.collector.requested(3);
      const [first] = ids(opened);
      expect(first?.split(',')).to.have.length(2);
      expect(ids(opened)).to.deep.equal([first, first, first]);
      expect(opened.collector.batches().flatMap(({ body }) => batchErrors(body))).to.deep.equal([]);
      expect(opened.errors).to.deep.equal([]);
    });
  }

  it('tries ever more seldom, with the same event ids', async () => {
    const opened = await open({ still: true });
    opened.collector.answer = 503;
    await opened.visit();
    await run(opened, 60);
    expect(await opened.collector.requested(3)).to.have.length.within(3, 4);
    expect(new Set(ids(opened)).size).to.equal(1);
  });

  it('sends on the next page what was not taken on this one, and keeps nothing once it is taken', async () => {
    const opened = await open({ still: true });
    opened.collector.answer = 503;
    await opened.visit('/one');
    await opened.call(`'purchase', { order_id: '1001' }`);
    await run(opened, 3);
    expect((await opened.stored()).local).to.deep.equal(['profit_id', 'profit_queue']);
    await opened.visit('/two');
    opened.collector.answer = 204;
    await run(opened, 3);
    const [first] = ids(opened);
    expect(first?.split(',')).to.have.length(2);
    expect(ids(opened).at(-1)).to.match(new RegExp(`^${first}`));
    expect((await opened.stored()).local).to.deep.equal(['profit_id']);
    const types = opened.collector.events().map(({ type }) => type);
    expect(types).to.deep.equal(['page_view', 'purchase', 'page_view']);
  });

  it('keeps nothing for the next page of what was refused for good, or after consent was withdrawn', async () => {
    const opened = await open({ still: true });
    opened.collector.answer = 401;
    await opened.visit();
    await run(opened, 3);
    expect((await opened.stored()).local).to.deep.equal(['profit_id']);
    opened.collector.answer = 503;
    await opened.call(`'track', 'add_to_cart'`);
    await run(opened, 3);
    expect((await opened.stored()).local).to.include('profit_queue');
    await opened.call(`'consent', { analytics: false }`);
    expect((await opened.stored()).local).to.deep.equal(['profit_consent']);
  });

  it('says when it sends, by the clock of the page', async () => {
    const opened = await open({ still: true });
    await opened.visit();
    await run(opened, 2);
    await opened.collector.received(1);
    const [batch] = opened.collector.batches();
    const { sent_at, events } = JSON.parse(batch?.body ?? '') as { sent_at: string; events: { ts: string }[] };
    expect(Date.parse(sent_at) - Date.parse(events[0]?.ts ?? '')).to.be.within(1000, 3000);
  });

  it('sends again what a proxy refused, whose answer the page may not read', async () => {
    const opened = await open({ still: true });
    opened.collector.answer = [502, 204];
    opened.collector.headers = { 'access-control-allow-origin': 'https://elsewhere.example' };
    await opened.visit();
    await run(opened, 3);
    expect(opened.collector.batches()).to.have.length(1);
    await run(opened, 4);
    await opened.collector.requested(2);
    expect(new Set(ids(opened)).size).to.equal(1);
    expect(opened.collector.batches().length).to.be.greaterThan(1);
  });

  for (const [what, header, quiet, most] of [
    ['waits as long as Retry-After says', '10', 9, 12],
    ['waits a second where Retry-After says nothing at all', '0', 0, 3],
    ['waits a minute where Retry-After says an hour', '3600', 58, 62],
    ['waits four seconds where Retry-After is no time', 'soon', 3, 6],
  ] as const) {
    it(`${what}, with whatever happened since`, async () => {
      const opened = await open({ still: true });
      opened.collector.answer = [503, 204];
      opened.collector.headers = { 'retry-after': header };
      await opened.visit();
      await run(opened, 1);
      await opened.collector.received(1);
      await opened.idle();
      await opened.call(`'track', 'add_to_cart'`);
      await run(opened, quiet);
      expect(opened.collector.batches()).to.have.length(1);
      await run(opened, most - quiet);
      const sent = await opened.collector.requested(2);
      const types = sent.map((events) => events.map(({ type }) => type));
      expect(types).to.deep.equal([['page_view'], ['page_view', 'add_to_cart']]);
    });
  }

  it('waits until the date that Retry-After names', async () => {
    const opened = await open({ still: true });
    opened.collector.answer = [429, 204];
    await opened.page.clock.pauseAt('2100-03-01T12:00:00Z');
    opened.collector.headers = { 'retry-after': 'Mon, 01 Mar 2100 12:00:20 GMT' };
    await opened.visit();
    await run(opened, 15);
    expect(opened.collector.batches()).to.have.length(1);
    await run(opened, 8);
    expect(await opened.collector.requested(2)).to.have.length(2);
  });

  it('keeps quiet while the server is away, however much happens on the page', async () => {
    const opened = await open({ still: true });
    opened.collector.answer = [429, 204];
    opened.collector.headers = { 'retry-after': '20' };
    await opened.visit();
    await run(opened, 2);
    await opened.page.evaluate(`for (let i = 0; i < 500; i++) profit('track', 'product_view', { sku: String(i) })`);
    await run(opened, 15);
    expect(opened.collector.batches()).to.have.length(1);
    await run(opened, 6);
    await opened.collector.received(150);
    await opened.leave();
    const skus = opened.collector.events().map(({ sku }) => sku);
    expect(skus.slice(1, 101)).to.deep.equal(Array.from({ length: 100 }, (_, i) => String(i)));
    expect(skus.length, 'what waits is bounded').to.be.within(150, 201);
  });

  it('tries once more when the page is left while it waits', async () => {
    const opened = await open({ still: true });
    opened.collector.answer = [503, 204];
    opened.collector.headers = { 'retry-after': '30' };
    await opened.visit();
    await opened.page.clock.runFor(1000);
    await opened.collector.received(1);
    await opened.idle();
    await opened.leave();
    const [first] = ids(opened);
    expect(ids(opened)).to.deep.equal([first, first]);
  });

  it('repeats what met no server, with the same event ids', async () => {
    const opened = await open({ still: true });
    opened.collector.answer = 'cut';
    await opened.visit();
    await run(opened, 60);
    await opened.collector.requested(3);
    expect(new Set(ids(opened)).size).to.equal(1);
    // Chromium itself repeats a request once when a kept connection breaks, so a try may be seen twice.
    expect(opened.collector.batches().length).to.be.within(3, 8);
  });

  it('repeats nothing that was under way when consent was withdrawn', async () => {
    const { visit, page, call, context, collector, idle } = await open({ still: true });
    const asked: string[] = [];
    let abort = (): void => undefined;
    const held = new Promise<void>((resolve) => (abort = resolve));
    await context.route(collector.endpoint, async (route) => {
      asked.push(route.request().postData() ?? '');
      await held;
      await route.abort();
    });
    await visit();
    await page.clock.runFor(1500);
    await call(`'consent', { analytics: false }`);
    await call(`'consent', { analytics: true }`);
    abort();
    await idle();
    await page.clock.runFor(10_000);
    // It has been told of already; the browser asks here a little later.
    while (asked.length < 2) await page.waitForTimeout(20);
    await idle();
    const ids = asked.map((body) => (JSON.parse(body) as { events: { anon_id: string }[] }).events[0]?.anon_id);
    expect(ids.slice(1)).not.to.include(ids[0]);
  });

  it('repeats nothing after consent was withdrawn', async () => {
    const { visit, page, call, collector, idle } = await open({ still: true });
    collector.answer = 'cut';
    await visit();
    await page.clock.runFor(1500);
    const [withdrawn] = await collector.received(1);
    await idle();
    const before = collector.batches().length;
    expect(before).to.be.greaterThan(0);
    await call(`'consent', { analytics: false }`);
    await page.clock.runFor(20_000);
    await page.waitForTimeout(200);
    expect(collector.batches()).to.have.length(before);
    await call(`'consent', { analytics: true }`);
    await page.clock.runFor(20_000);
    const later = (await collector.requested(before + 1)).slice(before).flat();
    expect(later.map(({ event_id }) => event_id)).not.to.include(withdrawn?.event_id);
  });
});
