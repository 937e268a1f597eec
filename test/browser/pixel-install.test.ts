import { expect } from 'chai';
import { TOKEN } from './support/collector.js';
import { useShop } from './support/shop.js';

const STUB = `window.profit = window.profit || function () { (profit.q = profit.q || []).push(arguments); };`;

describe('pixel: installation', () => {
  const open = useShop();
  const types = (events: Record<string, unknown>[]): unknown[] => events.map(({ type }) => type);

  it('takes its token by init, as a tag manager gives it, with whatever was called before', async () => {
    const { visit, leave } = await open({
      tag: `<script>${STUB} profit('track', 'product_view', { sku: 'A' }); profit('init', { token: '${TOKEN}' });
        const tag = document.createElement('script'); tag.src = 'SCRIPT'; document.head.append(tag);</script>`,
    });
    await visit();
    expect(types(await leave())).to.deep.equal(['page_view', 'product_view']);
  });

  it('waits for an init that comes later', async () => {
    const { visit, leave, call, page, collector } = await open({ tag: '<script async src="SCRIPT"></script>' });
    await visit();
    await page.waitForFunction('window.profit');
    await call(`'track', 'add_to_cart'`);
    expect(collector.batches()).to.deep.equal([]);
    await call(`'init', { token: '${TOKEN}' }`);
    expect(types(await leave())).to.deep.equal(['page_view', 'add_to_cart']);
  });

  it("never takes another vendor's token, and says what it lacks", async () => {
    const { visit, leave, page } = await open({
      tag: `<script data-token="vendor-1" src="data:text/javascript,1"></script>
        <script>const tag = document.createElement('script'); tag.src = 'SCRIPT'; document.head.append(tag);</script>`,
    });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await visit();
    expect(await leave()).to.deep.equal([]);
    expect(said.join()).to.match(/pt_svc_/);
  });

  it('starts no visit in a frame of the same site', async () => {
    const { visit, leave, page } = await open({
      head: `<script>if (self === top) addEventListener('load', () => {
        const frame = document.createElement('iframe'); frame.src = '/framed?gclid=1'; document.body.append(frame);
      })</script>`,
    });
    await visit();
    await page.frameLocator('iframe').locator('h1').waitFor();
    expect((await leave()).map(({ url }) => new URL(String(url)).pathname)).to.deep.equal(['/']);
  });

  it('tells the address that the visitor asked for, though a script took its query out before', async () => {
    const { visit, leave } = await open({ head: `<script>history.replaceState({}, '', location.pathname)</script>` });
    await visit('/landing?gclid=abc');
    const [view] = await leave();
    expect(String(view?.url)).to.match(/\/landing\?gclid=abc$/);
  });

  it('tells the landing before a page that a script moved on to early', async () => {
    const { visit, leave } = await open({ head: `<script>history.pushState({}, '', '/moved')</script>` });
    await visit('/landing?gclid=abc');
    const events = await leave();
    expect(events.map(({ url }) => new URL(String(url)).pathname)).to.deep.equal(['/landing', '/moved']);
    expect(events[1]?.referrer).to.equal(events[0]?.url);
  });

  it('tells with ?profit_debug what is held and what is sent, and nothing without', async () => {
    const { visit, page, call } = await open({ timezoneId: 'Europe/Berlin' });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await visit('/');
    await visit('/?profit_debug');
    await call(`'consent', { analytics: true }`);
    while (!said.some((text) => text.includes('profit pixel: sent'))) await page.waitForTimeout(50);
    expect(said.filter((text) => text.includes('held')).join()).to.match(/page_view/);
    expect(said.filter((text) => text.includes('page_view'))).to.have.length(1);
  });
});
