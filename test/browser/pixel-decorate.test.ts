import { expect } from 'chai';
import { TOKEN, type WireEvent } from './support/collector.js';
import { BERLIN, useShop, type Shop, type ShopOptions } from './support/shop.js';

const PARAMETER = /[?&]profit_session=\d{13}\.\d{13}\.[\da-f-]{36}\.[\da-f-]{36}/;

describe('pixel: a shop with hosts of two domains', () => {
  const open = useShop();

  interface Both extends Shop {
    /** Addresses of the checkout that were asked for. */
    asked: string[];
    /** Follows a link or button, and waits for the page of the other host. */
    follow: (selector: string) => Promise<void>;
    /** The events of each host. */
    events: (host: string) => WireEvent[];
  }

  /** Pages of both hosts are the same, with links to each other. */
  const openBoth = async (options: ShopOptions = {}): Promise<Both> => {
    const shop = await open({
      host: 'www.shop.test',
      ...options,
      tag: `<script defer src="DECORATOR" data-hosts="Shop.test, service.test"></script>
        <script defer src="SCRIPT" data-token="${TOKEN}" ${options.attributes ?? ''}></script>
        <a id=pay>Pay</a><a id=other>Other</a><form method=post><input name=action><button>Pay</button></form>
        <script>
          const at = (host, path) => 'http://' + host + ':' + location.port + path;
          pay.href = at('pay.service.test', '/pay?a=%20b&c#x');
          other.href = at('other.test', '/');
          document.forms[0].setAttribute('action', at('pay.service.test', '/form'));
        </script>`,
    });
    const { page, collector } = shop;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) asked.push(request.url());
    });
    return {
      ...shop,
      asked,
      async follow(selector) {
        const before = page.url();
        await page.click(selector);
        await page.waitForURL((url) => url.href !== before);
        await page.waitForFunction('window.profit');
      },
      events: (host) => collector.events().filter(({ url }) => new URL(String(url)).hostname === host),
    };
  };
  const visitors = (events: WireEvent[]): unknown[] => [
    ...new Set(events.map(({ anon_id, session_hint }) => `${String(anon_id)} ${String(session_hint)}`)),
  ];

  for (const [what, selector] of [
    ['a link', '#pay'],
    ['a form', 'button'],
  ] as const) {
    it(`hands the visitor on by ${what}, and the parameter is in no address, event or storage afterwards`, async () => {
      const { visit, follow, page, leave, asked, errors, events } = await openBoth();
      await visit('/?gclid=1');
      await follow(selector);
      expect(asked.at(-1)).to.match(PARAMETER);
      expect(new URL(page.url()).search).to.equal(selector === '#pay' ? '?a=%20b&c' : '');
      expect(await page.evaluate('navigation.entries().map(({ url }) => url).join()')).not.to.match(PARAMETER);
      expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.to.include('session=');
      await leave();
      expect([events('www.shop.test').length, events('pay.service.test').length]).to.deep.equal([1, 1]);
      expect(visitors([...events('www.shop.test'), ...events('pay.service.test')])).to.have.length(1);
      expect(errors).to.deep.equal([]);
    });
  }

  it('hands the visitor on by an address that the page asks for, and to the shop again', async () => {
    const { visit, follow, page, leave, collector } = await openBoth();
    await visit();
    await page.evaluate('location.href = profitDecorate(pay.href)');
    await page.waitForURL('**/pay**');
    await page.waitForFunction('window.profit');
    expect(page.url()).not.to.match(PARAMETER);
    await page.evaluate(`pay.href = at('www.shop.test', '/back')`);
    await follow('#pay');
    await leave();
    expect(collector.events()).to.have.length(3);
    expect(visitors(collector.events())).to.have.length(1);
  });

  it('leaves the link as it is for whoever copies it, and other links alone', async () => {
    const { visit, page, asked } = await openBoth();
    await visit();
    await page.click('#pay', { button: 'right' });
    await page.evaluate(`addEventListener('click', (event) => event.preventDefault())`);
    await page.click('#pay');
    await page.evaluate('new Promise((done) => setTimeout(done))');
    expect(await page.evaluate('pay.href + other.href + document.body.innerHTML')).not.to.include('profit_session');
    expect(await page.evaluate(`['no address', other.href, location.href].map(profitDecorate)`)).to.deep.equal(
      await page.evaluate(`['no address', other.href, location.href]`),
    );
    expect(asked.join()).not.to.include('profit_session');
  });

  it('is nothing before consent, nor after it was withdrawn', async () => {
    const { visit, page, call, stored } = await openBoth({ timezoneId: BERLIN });
    await visit();
    const decorated = (): Promise<unknown> => page.evaluate('profitDecorate(pay.href)');
    expect(await decorated()).not.to.match(PARAMETER);
    await call(`'consent', { analytics: true }`);
    expect(await decorated()).to.match(PARAMETER);
    await call(`'consent', { analytics: false }`);
    expect(await decorated()).not.to.match(PARAMETER);
    expect((await stored()).local).to.deep.equal([]);
  });

  it('stores nothing on the other host before there is consent, and forgets the visitor at a refusal', async () => {
    for (const refused of [false, true]) {
      const { visit, page, call, follow, leave, events, stored } = await openBoth({ timezoneId: BERLIN });
      await visit();
      await call(`'consent', { analytics: true }`);
      await follow('#pay');
      expect([(await stored()).local, events('pay.service.test')]).to.deep.equal([[], []]);
      expect(page.url()).not.to.match(PARAMETER);
      if (refused) await call(`'consent', { analytics: false }`);
      await call(`'consent', { analytics: true }`);
      if (refused) await call(`'track', 'page_view'`);
      await leave();
      expect(visitors([...events('www.shop.test'), ...events('pay.service.test')])).to.have.length(refused ? 2 : 1);
    }
  });

  describe('does not join two people', () => {
    /** An address that one visitor was led to, opened by another way. */
    const copied = async (from: { referer?: string; later?: number; known?: boolean }): Promise<number> => {
      const { visit, page, leave, collector, context } = await openBoth(from.later ? { still: true } : {});
      await visit();
      const address = String(await page.evaluate('profitDecorate(pay.href)'));
      await page.evaluate('localStorage.clear()');
      if (from.known) {
        await page.goto(new URL('/', address).href);
        await page.waitForFunction(`localStorage.getItem('profit_id')`);
      }
      if (from.later) await context.clock.runFor(from.later);
      await page.goto(address, from.referer ? { referer: from.referer } : {});
      await page.waitForFunction('window.profit');
      expect(page.url()).not.to.match(PARAMETER);
      await leave();
      return visitors(collector.events()).length;
    };
    const shop = 'http://www.shop.test/';

    it('but the one who comes at once from a page of the shop', async () => {
      expect(await copied({ referer: shop })).to.equal(1);
      expect(await copied({ referer: shop, later: 110_000 })).to.equal(1);
    });
    it('when the address is pasted, or opened out of a message', async () => {
      expect(await copied({})).to.equal(2);
      expect(await copied({ referer: 'https://web.messages.example/' })).to.equal(2);
      expect(await copied({ referer: 'http://notshop.test/' })).to.equal(2);
    });
    it('when it is older than two minutes', async () => {
      expect(await copied({ referer: shop, later: 121_000 })).to.equal(2);
    });
    it('when the browser has a visitor already', async () => {
      expect(await copied({ referer: shop, known: true })).to.equal(2);
    });
  });

  it('is not stopped by parameters that are forged or broken', async () => {
    const { visit, page, errors, collector, leave } = await openBoth();
    for (const value of ['', 'x', '%', `9${'0'.repeat(12)}.1.2.3`, '0.0.'.repeat(900), '1'.repeat(13)]) {
      await visit(`/?profit_session=${value}&profit_session=2&utm_source=a`);
      expect(new URL(page.url()).search).to.equal('?utm_source=a');
    }
    await leave();
    expect(new Set(collector.events().map(({ anon_id }) => anon_id)).size).to.equal(1);
    expect(errors).to.deep.equal([]);
  });
});
