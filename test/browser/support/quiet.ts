import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';

/** What is shown until an answer is there, apart from the pages that show the states of components. */
const BUSY = ':is(.loading, [aria-busy=true]):not([data-state] *)';
/** What follows an answer is done in a frame or in a task after one, however slow the machine is. */
const FRAMES = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))`;
const ROUNDS = 4;
/** A page that is still busy then never ends; a full machine may take long. */
const LIMIT_MS = 240_000;

/** An init script: the page refreshes nothing by itself, and no pause in typing is long enough. */
export const TIMELESS = `window.setInterval = () => 0;
  const later = window.setTimeout;
  window.setTimeout = (run, ms = 0, ...args) => (ms < 500 ? later(run, ms, ...args) : 0);`;

const requestsOf = new WeakMap<Page, { open: Set<Request>; begun: number }>();

/** Counts the requests of a page from now on, for {@link quiet}. */
export function watchRequests(page: Page): void {
  const requests = { open: new Set<Request>(), begun: 0 };
  requestsOf.set(page, requests);
  page.on('request', (request) => {
    requests.open.add(request);
    requests.begun++;
  });
  page.on('requestfinished', (request) => requests.open.delete(request));
  page.on('requestfailed', (request) => requests.open.delete(request));
}

/**
 * Waits until the page has every answer that it asked for and has shown it. Unlike `networkidle`, which a document reaches
 * once, it holds after a click and a move within the app too, and its time is the one of the page.
 */
export async function quiet(page: Page): Promise<void> {
  const requests = requestsOf.get(page);
  if (!requests) throw new Error('The page was not opened by openPage.');
  let rounds = 0;
  for (const end = Date.now() + LIMIT_MS; rounds < ROUNDS;) {
    const { begun } = requests;
    // While a document is left, nothing can be asked of it.
    const busy = await page
      .evaluate<boolean>(`${FRAMES}.then(() => !!document.querySelector('${BUSY}'))`)
      .catch(() => true);
    rounds = !busy && requests.open.size === 0 && requests.begun === begun ? rounds + 1 : 0;
    if (rounds === 0) await sleep(20);
    if (Date.now() < end) continue;
    throw new Error(`The page is still busy: ${[...requests.open].map((request) => request.url()).join(' ')}`);
  }
}
