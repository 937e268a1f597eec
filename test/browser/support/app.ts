import type { BrowserContextOptions, Page } from 'playwright-core';
import { createTicket } from '../../../src/console/server/ticket.js';
import { createVisits } from '../../../src/redis/visits.js';
import { ADMIN_TOKEN, joinAs, OPERATOR_ENV, signInAsOperator, type Operator } from '../../console/support.js';
import { startService, type Service, type Shop } from '../../support/service.js';
import { openPage } from './browser.js';

export interface AppPage {
  page: Page;
  /** Errors of scripts, refusals of the policy and failed requests. */
  faults: string[];
  /** Hosts that the page asked. */
  hosts: Set<string>;
  close: () => Promise<void>;
}

/** An empty page for the app, which tells what goes wrong in it. */
export async function openAppPage(options: BrowserContextOptions = {}): Promise<AppPage> {
  const { page, context, errors } = await openPage({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // What breathes while answers are awaited is drawn sixty times a second.
    reducedMotion: 'reduce',
    ...options,
  });
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('console', (message) => {
    // An endpoint that the service has not is a panel less, and no fault.
    const absent = message.text().includes('404') && message.location().url.includes('/v1/');
    if (message.type() === 'error' && !absent) errors.push(`${message.text()} (${message.location().url})`);
  });
  return { page, faults: errors, hosts, close: () => context.close() };
}

/** A page of the app; the operator has signed in, without the page for it. */
async function openApp(service: Service, path: string, options?: BrowserContextOptions): Promise<AppPage> {
  const app = await openAppPage(options);
  const proof = { ticket: createTicket(ADMIN_TOKEN, Date.now()) };
  const answer = await app.page.context().request.post(`${service.url}/app/api/sign-in`, {
    data: proof,
    headers: { Origin: service.url },
  });
  if (answer.status() !== 204) throw new Error(`the sign-in was answered ${answer.status()}`);
  await app.page.goto(service.url + path);
  return app;
}

export const today = (): string => new Date().toISOString().slice(0, 10);

export const order = (id: string, fields: Record<string, unknown> = {}) => ({
  order_id: id,
  placed_at: `${today()}T00:00:00Z`,
  currency: 'GBP',
  status: 'paid',
  line_items: [{ line_id: '1', quantity: '3', unit_price: '411.50', unit_cost: '120.10' }],
  total: '1234.50',
  gateway_fee: '18.07',
  ...fields,
});
/** Rent of 700 pounds, due today. */
export const rent = (fields: Record<string, unknown> = {}) => ({
  external_id: 'rent',
  name: 'Rent',
  category: 'other',
  amount: '700',
  currency: 'GBP',
  frequency: 'one_time',
  started_on: today(),
  ...fields,
});
const refund = () => ({ refund_id: 'r', refunded_at: `${today()}T00:00:00Z`, total: '200.005' });

/** Ends what the page knows of a session; it leaves the app first: a read under way would lead to the sign-in. */
export async function signOut(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** The page belongs to this person from now on. */
export async function become(page: Page, service: Service, { cookie }: Operator): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await signOut(page);
  await page.context().addCookies([{ name, value, url: service.url }]);
}

/** The page belongs to an owner from now on whose last visit of the shop ended at a moment. */
export async function becomeVisitor(page: Page, service: Service, shop: string, endedMs: number): Promise<Operator> {
  const owner = await joinAs(service, await signInAsOperator(service), { role: 'owner', shops: null });
  const visits = createVisits(service.stores.redis);
  for (const at of [endedMs, Math.max(Date.now(), endedMs + 31 * 60_000)]) await visits.note(owner.id, shop, at);
  await become(page, service, owner);
  return owner;
}

/** Opens the page of all shops that has this one on it: other files of the suite have made shops too. */
export async function turnTo(page: Page, service: Service, shop: string): Promise<void> {
  const ids = [...new Set((await service.stores.keys.list()).map(({ shopId }) => shopId))].sort();
  await page.goto(`${service.url}/?cursor=${Math.floor(ids.indexOf(shop) / 20) + 1}`);
}

/** What stood on the page of a failed test, and what went wrong in it. */
async function showPage({ page, faults }: AppPage): Promise<void> {
  const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
  console.error([`${page.url()} at the end of a failed test:`, text, ...faults].join('\n'));
}

/**
 * A service for the enclosing suite, on the engines that the suites share or on those of `base`; pages opened
 * with `open` are closed after each test.
 */
export function useApp(base?: () => Promise<NodeJS.ProcessEnv>): {
  service: () => Service;
  open: (path: string, options?: BrowserContextOptions) => Promise<AppPage>;
  /** A shop in pounds with two orders of today and a refund. */
  sellingShop: () => Promise<Shop>;
} {
  let service: Service;
  const opened: AppPage[] = [];
  before(async () => {
    service = await startService({ env: OPERATOR_ENV, ...(base && { base: await base() }) });
  });
  afterEach(async function () {
    for (const app of opened.splice(0)) {
      if (this.currentTest?.isFailed()) await showPage(app);
      await app.close();
    }
  });
  after(() => service.stop());
  return {
    service: () => service,
    async open(path, options) {
      const app = await openApp(service, path, options);
      opened.push(app);
      return app;
    },
    async sellingShop() {
      const shop = await service.shop({ currency: 'GBP', timezone: 'UTC' });
      await shop.call('POST', '/v1/orders', { orders: [order('1'), order('2', { refunds: [refund()] })] });
      await service.settled();
      return shop;
    },
  };
}
