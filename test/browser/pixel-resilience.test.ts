import { expect } from 'chai';
import { batchErrors } from './support/event-schema.js';
import { BERLIN, scriptTag, useShop } from './support/shop.js';

describe('pixel: pages that make it hard', () => {
  const open = useShop();

  const types = (events: Record<string, unknown>[]): unknown[] => events.map(({ type }) => type);

  it('a content security policy that names the script and the endpoint is enough', async () => {
    const { visit, page, leave } = await open({
      headers: {
        'content-security-policy':
          "default-src 'none'; script-src SCRIPT; connect-src ENDPOINT; require-trusted-types-for 'script'",
      },
    });
    const blocked: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('favicon')) blocked.push(message.text());
    });
    await visit();
    expect(types(await leave())).to.deep.equal(['page_view']);
    expect(blocked).to.deep.equal([]);
  });

  it('a page that forbids the endpoint does not notice', async () => {
    const { visit, call, leave, errors } = await open({
      headers: { 'content-security-policy': "connect-src 'none'" },
    });
    await visit();
    await call(`'track', 'add_to_cart'`);
    expect(await leave()).to.deep.equal([]);
    expect(errors).to.deep.equal([]);
  });

  it('a page that has thrown before is measured all the same', async () => {
    const { visit, leave, errors } = await open({ head: `<script>throw new Error('of the page')</script>` });
    await visit();
    expect(types(await leave())).to.deep.equal(['page_view']);
    expect(errors).to.deep.equal(['of the page']);
  });

  it('a blocked endpoint breaks nothing and rejects nothing', async () => {
    const { visit, page, call, context, collector, errors, idle } = await open({ still: true });
    await context.route(`${collector.endpoint}**`, (route) => route.abort('blockedbyclient'));
    await visit();
    await page.evaluate(`addEventListener('unhandledrejection', () => { window.rejected = true })`);
    await call(`'identify', 'ann@example.com'`);
    await page.clock.runFor(1500);
    await idle();
    expect(await page.evaluate('[document.title, window.rejected ?? null]')).to.deep.equal(['Shop', null]);
    expect(errors).to.deep.equal([]);
  });

  it('a fetch that throws, or that somebody replaced by nothing, is no error of the page', async () => {
    for (const init of [`window.fetch = () => { throw new Error('no') }`, `window.fetch = undefined`]) {
      const { visit, leave, errors } = await open({ init });
      await visit();
      expect(await leave()).to.deep.equal([]);
      expect(errors).to.deep.equal([]);
    }
  });

  it('a script that never arrives leaves the stub as it was', async () => {
    const { visit, page, call, context, collector, errors } = await open({
      head: `<script>window.profit = window.profit || function () { (profit.q = profit.q || []).push(arguments) }</script>`,
    });
    await context.route(collector.script, (route) => route.abort());
    await visit();
    await call(`'track', 'add_to_cart'`);
    expect(await page.evaluate('profit.q.length')).to.equal(1);
    expect(errors).to.deep.equal([]);
  });

  for (const [what, init] of [
    [
      'that may not be touched',
      `Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied') } })`,
    ],
    [
      'that takes nothing',
      `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`,
    ],
  ] as const) {
    it(`storage ${what}: the visitor lasts for the page, and ends at once when consent does`, async () => {
      const { visit, call, leave, errors } = await open({ init, attributes: 'data-region="DE"', still: true });
      await visit('/one');
      await call(`'consent', { analytics: true }`);
      await call(`'track', 'add_to_cart'`);
      await visit('/two');
      await call(`'consent', { analytics: true }`);
      await visit('/three');
      await call(`'consent', { analytics: true }`);
      await call(`'consent', { analytics: false }`);
      await call(`'track', 'add_to_cart'`);
      const events = await leave();
      expect(types(events)).to.deep.equal(['page_view', 'add_to_cart', 'page_view']);
      const ids = events.map(({ anon_id, session_hint }) => `${String(anon_id)} ${String(session_hint)}`);
      expect(ids[0]).to.equal(ids[1]);
      expect(ids[2]).not.to.equal(ids[1]);
      expect(errors).to.deep.equal([]);
    });
  }

  it('a sandboxed frame, which has neither storage nor cookies, is measured for as long as it lasts', async () => {
    const { visit, page, leave, collector, errors } = await open({ tag: '' });
    await visit();
    // With a region: the time zone of the test may reach a frame of another process after its script has run.
    await page.evaluate(`new Promise((done) => {
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts';
      frame.srcdoc = ${JSON.stringify(scriptTag(collector, 'data-region="US"'))};
      frame.onload = done;
      document.body.append(frame);
    })`);
    // Before the page is left: what a frame of another process sends then may be lost.
    await collector.received(1);
    expect(types(await leave())).to.deep.equal(['page_view']);
    expect(collector.batches()[0]?.headers.origin).to.equal('null');
    expect(errors).to.deep.equal([]);
  });

  it('a second tag of the same token does nothing', async () => {
    const { visit, call, page, leave } = await open({ tag: 'TAG TAG' });
    await visit();
    await call(`'track', 'add_to_cart'`);
    await page.evaluate(`history.pushState({}, '', '/b')`);
    expect(types(await leave())).to.deep.equal(['page_view', 'add_to_cart', 'page_view']);
  });

  it('a second tag of another token does nothing where the name is taken', async () => {
    const { visit, leave, collector } = await open({
      tag: 'TAG<script async src="SCRIPT" data-token="pt_svc_other"></script>',
      // What is under way while the page is left may be sent a second time.
      still: true,
    });
    await visit();
    expect(types(await leave())).to.deep.equal(['page_view']);
    expect(collector.batches()).to.have.length(1);
  });

  it('a second tag under another name joins the pixel that runs', async () => {
    const { visit, page, leave, collector } = await open();
    await visit();
    await page.evaluate(`document.body.append(document.createRange().createContextualFragment(
      ${JSON.stringify(scriptTag(collector, 'data-name="second"'))}))`);
    await page.waitForFunction('window.second');
    await page.evaluate(`second('track', 'add_to_cart')`);
    const events = await leave();
    expect(types(events)).to.deep.equal(['page_view', 'add_to_cart']);
    expect(events[0]?.anon_id).to.equal(events[1]?.anon_id);
  });

  it('a tag without a token says so, and does nothing', async () => {
    const { visit, page, leave, errors } = await open({ tag: '<script src="SCRIPT"></script>' });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await visit();
    expect(await leave()).to.deep.equal([]);
    expect(said.join()).to.match(/data-token/);
    expect(errors).to.deep.equal([]);
  });

  it('a global of the page that is not ours stays', async () => {
    const { visit, page, leave } = await open({ head: `<script>window.profit = { margin: 3 }</script>` });
    await visit();
    expect(await page.evaluate('profit.margin')).to.equal(3);
    expect(types(await leave())).to.deep.equal(['page_view']);
  });

  it('an element whose id is the name of the global does not stand in the way', async () => {
    const { visit, call, leave } = await open({ tag: `<p id="profit">12</p>TAG` });
    await visit();
    await call(`'track', 'add_to_cart'`);
    expect(types(await leave())).to.deep.equal(['page_view', 'add_to_cart']);
  });

  for (const [what, head] of [
    [
      'arrays, texts, numbers and dates, as Prototype.js does it,',
      `Array.prototype.toJSON = function () { return '[' + this.map((item) => Object.toJSON(item)).join(', ') + ']' };
      Object.toJSON = (value) => (value && value.toJSON ? value.toJSON() : JSON.stringify(value));
      String.prototype.toJSON = function () { return '"' + this + '"' };
      Number.prototype.toJSON = Date.prototype.toJSON = function () { return String(this) };`,
    ],
    ['every object', `Object.prototype.toJSON = function () { return 'an object' };`],
  ] as const) {
    it(`a page that gives ${what} a toJSON of its own still sends an array of events`, async () => {
      const { visit, call, leave, collector, errors } = await open({ head: `<script>${head}</script>` });
      await visit();
      await call(`'track', 'add_to_cart', { sku: 'MUG "blue"', quantity: 2 }`);
      const events = await leave();
      expect(types(events)).to.deep.equal(['page_view', 'add_to_cart']);
      expect(events[1]).to.include({ sku: 'MUG "blue"', quantity: '2' });
      expect(collector.batches().flatMap(({ body }) => batchErrors(body))).to.deep.equal([]);
      expect(errors).to.deep.equal([]);
    });
  }

  it('consent tools that throw say nothing', async () => {
    const { visit, leave, errors } = await open({
      head: `<script>
        window.__tcfapi = () => { throw new Error('tcf') };
        window.dataLayer = { push: 7 };
        Object.defineProperty(window, 'Shopify', { get() { throw new Error('shopify') } });
      </script>`,
    });
    await visit();
    expect(types(await leave())).to.deep.equal(['page_view']);
    expect(errors).to.deep.equal([]);
  });

  it('a page over plain http is measured; identify, which needs a digest, is dropped', async () => {
    const { visit, page, call, leave, errors } = await open({ host: 'shop.test' });
    await visit();
    expect(await page.evaluate('[isSecureContext, location.hostname]')).to.deep.equal([false, 'shop.test']);
    await call(`'identify', 'ann@example.com'`);
    await page.waitForTimeout(200);
    expect(types(await leave())).to.deep.equal(['page_view']);
    expect(errors).to.deep.equal([]);
  });

  it('a page that is only prerendered stores and sends nothing until it is shown', async () => {
    const { visit, page, stored, collector } = await open({
      still: true,
      init: `window.waiting = true; Object.defineProperty(Document.prototype, 'prerendering', { get: () => waiting })`,
    });
    await visit();
    await page.clock.runFor(1300);
    expect((await stored()).local).to.deep.equal([]);
    expect(collector.batches()).to.deep.equal([]);
    await page.evaluate(`waiting = false; document.dispatchEvent(new Event('prerenderingchange'))`);
    await page.clock.runFor(1300);
    expect(types(await collector.received(1))).to.deep.equal(['page_view']);
  });

  it('is quiet where silence means no, too', async () => {
    const { visit, page, errors } = await open({ timezoneId: BERLIN, still: true });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await visit();
    await page.clock.runFor(700);
    expect([...said, ...errors]).to.deep.equal([]);
  });
});
