import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { openPage } from './browser.js';
import { startCollector, TOKEN, type Collector, type WireEvent } from './collector.js';
import { servePage, type Resource, type Site } from './serve-page.js';

/** Zones where silence means no, and where it means yes. */
export const BERLIN = 'Europe/Berlin';
export const NEW_YORK = 'America/New_York';

export interface ShopOptions {
  timezoneId?: string;
  /** HTML before the script tag. */
  head?: string;
  /** Further attributes of the script tag. */
  attributes?: string;
  /** Instead of the one script tag. */
  tag?: string;
  /** Headers of every page, for example a content security policy. */
  headers?: Record<string, string>;
  /** Script that runs before any of the page's own. */
  init?: string;
  /** The name pages are served under. */
  host?: string;
  /**
   * The clock of every page stands still, so nothing is sent before the page is left or `page.clock.runFor` lets time pass,
   * however slow the machine is.
   */
  still?: boolean;
  context?: BrowserContextOptions;
}

export interface Shop {
  page: Page;
  context: BrowserContext;
  site: Site;
  collector: Collector;
  /** Errors that reached the window. */
  errors: string[];
  /** Loads a path of the shop, once its scripts have run. */
  visit: (path?: string, options?: { referer?: string }) => Promise<void>;
  /** Calls the pixel as a page would: `call("'track', 'add_to_cart'")`. */
  call: (args: string) => Promise<unknown>;
  /** Leaves the shop, which sends whatever is queued, and returns every event received so far. */
  leave: () => Promise<WireEvent[]>;
  /** Waits until every request of the page has its answer. */
  idle: () => Promise<void>;
  /** What the visitor's browser holds for the shop: storage entries, cookies and database names, each by kind. */
  stored: () => Promise<Record<'local' | 'session' | 'cookies' | 'databases', string[]>>;
  close: () => Promise<void>;
}

/** Longest wait for requests; a test then fails by what has not arrived. */
const DELIVERY_MS = 60_000;
const LEFT_MS = 300;

export const NOTHING = { local: [], session: [], cookies: [], databases: [] };

/** An `init` with which a page tells when the digest of an address is there: {@link digested}. */
export const TELLS_DIGEST = `const digest = crypto.subtle.digest.bind(crypto.subtle);
  crypto.subtle.digest = (...args) => (window.digested = digest(...args))`;

/** Waits until the pixel has taken the digest that it asked for last. */
export function digested(page: Page): Promise<unknown> {
  return page.evaluate('digested.then(() => new Promise((done) => setTimeout(done)))');
}

/** The script tag for a collector. */
export function scriptTag(collector: Collector, attributes = ''): string {
  return `<script async src="${collector.script}" data-token="${TOKEN}" ${attributes}></script>`;
}

/**
 * A storefront of one page under every path, and a collector on another origin, both for one test.
 * `SCRIPT`, `DECORATOR`, `ENDPOINT` and `TAG` in `head`, `tag` and `headers` stand for the collector's.
 */
async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const { timezoneId = NEW_YORK, head = '', attributes, tag = 'TAG', headers = {}, init, host, still } = options;
  const collector = await startCollector();
  const fill = (text: string): string =>
    text
      .replaceAll('TAG', scriptTag(collector, attributes))
      .replaceAll('SCRIPT', collector.script)
      .replaceAll('DECORATOR', collector.decorator)
      .replaceAll('ENDPOINT', collector.endpoint);
  const html: Resource = {
    body: fill(`<!doctype html><title>Shop</title>${head}${tag}<h1>Shop</h1>`),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
  };
  const site = await servePage({ '*': html, '/favicon.ico': { body: '', type: 'image/x-icon' } }, host);
  const away = await servePage({ '*': '<!doctype html><title>Elsewhere</title>' });
  const { page, context, errors } = await openPage({ timezoneId, ...options.context });
  if (init) await page.addInitScript({ content: init });
  if (still) {
    const now = Date.now();
    // It runs until it is paused, and can't be paused at a time that is past.
    await context.clock.install({ time: now - 60_000 });
    await context.clock.pauseAt(now);
  }
  const wait = async (isDone: () => boolean, limitMs = DELIVERY_MS): Promise<void> => {
    for (const end = Date.now() + limitMs; !isDone() && Date.now() < end;) await sleep(20);
  };
  // A busy machine may take long to deliver what the browser has begun to send.
  let sent = 0;
  const open = new Set<Request>();
  const count = (request: Request, by: number): void => {
    if (request.method() === 'POST' && request.url().startsWith(collector.endpoint)) sent += by;
  };
  context.on('request', (request) => {
    open.add(request);
    count(request, 1);
  });
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => {
    open.delete(request);
    count(request, -1);
  });
  /**
   * Sends what is queued as a page does that is left, and waits until it has arrived. Of what a page sends once it is being
   * left for good, nobody is told.
   */
  const flush = async (): Promise<void> => {
    for (const frame of page.frames()) await frame.evaluate(`void dispatchEvent(new Event('pagehide'))`);
    await wait(() => collector.batches().filter(({ method }) => method === 'POST').length >= sent);
    // A page that is left before it knows the answer may send once more.
    const asked = [...open];
    await wait(() => !asked.some((request) => open.has(request)));
  };

  return {
    page,
    context,
    site,
    collector,
    errors,
    async visit(path = '/', { referer } = {}) {
      if (page.url() !== 'about:blank') await flush();
      await page.goto(site.origin + path, referer ? { referer, waitUntil: 'load' } : { waitUntil: 'load' });
    },
    call: (args) => page.evaluate(`void profit(${args})`),
    async leave() {
      await flush();
      // The last that the page does: what it should not send has begun before. A page that forbids it gets the time instead.
      await page.evaluate(
        `void document.addEventListener('visibilitychange', () => navigator.sendBeacon('${away.origin}/left'))`,
      );
      await page.goto(away.origin);
      await wait(() => away.requests.some(({ url }) => url === '/left'), LEFT_MS);
      await sleep(20);
      return collector.events();
    },
    idle: () => wait(() => open.size === 0),
    async stored() {
      return page.evaluate(`(async () => ({
        local: Object.keys(localStorage).sort(),
        session: Object.keys(sessionStorage),
        cookies: document.cookie ? document.cookie.split('; ') : [],
        databases: (await indexedDB.databases()).map(({ name }) => name),
      }))()`);
    },
    async close() {
      await context.close();
      await Promise.all([site.close(), away.close(), collector.close()]);
    },
  };
}

/** For the enclosing suite: what is opened with the function returned is closed after each test. */
export function useShop(): (options?: ShopOptions) => Promise<Shop> {
  let opened: Shop[] = [];
  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    opened = [];
  });
  return async (options) => {
    const shop = await openShop(options);
    opened.push(shop);
    return shop;
  };
}
