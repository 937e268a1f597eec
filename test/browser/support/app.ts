import { execFileSync } from 'node:child_process';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createTicket } from '../../../src/app/ticket.js';
import { ADMIN_TOKEN } from '../../app/support.js';
import type { Service } from '../../support/service.js';
import { openPage } from './browser.js';

/** Builds the pages where a source is newer than they are. */
export function buildPages(): void {
  execFileSync(process.execPath, ['src/embedded/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

export interface AppPage {
  page: Page;
  /** Errors of scripts, refusals of the policy and failed requests. */
  faults: string[];
  /** Hosts that the page asked. */
  hosts: Set<string>;
  close: () => Promise<void>;
}

/** A page of the app, signed in by a printed link. */
export async function openApp(
  browser: Browser,
  service: Service,
  path: string,
  options: BrowserContextOptions = {},
): Promise<AppPage> {
  const { page, context, errors } = await openPage(browser, {
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('console', (message) => {
    // An endpoint that the service has not is a panel less, and no fault.
    const absent = message.text().includes('404') && message.location().url.includes('/v1/');
    if (message.type() === 'error' && !absent) errors.push(message.text());
  });
  await page.goto(
    `${service.url}/signin?next=${encodeURIComponent(path)}#ticket=${createTicket(ADMIN_TOKEN, Date.now())}`,
  );
  await page.waitForURL((url) => url.pathname !== '/signin');
  // The question whether anybody is signed in yet is answered 401, which the browser notes.
  errors.length = 0;
  return { page, faults: errors, hosts, close: () => context.close() };
}
