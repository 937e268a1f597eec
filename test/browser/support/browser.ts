import { accessSync, constants } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { watchRequests } from './quiet.js';

const LOCATIONS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Chromium takes the last list of features alone. */
const OFF = [
  // Those that Playwright switches off.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  // The list below the address line is a page in each window, and a process waits for pages to come: without them a window
  // with two pages takes 0.57 s of CPU instead of 0.92.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${OFF.join(',')}`,
  // A headless browser names itself, and the collector takes it for a bot. Set for the whole browser: what it sends while a page
  // is left doesn't carry the user agent of the page.
  '--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];

/** Path of the browser: `CHROMIUM_PATH`, else the first of the usual places. Throws where there is none. */
export function chromiumPath(): string {
  const given = process.env.CHROMIUM_PATH;
  const found = [...(given ? [given] : []), ...LOCATIONS].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error('No Chromium found: install the package "chromium" or set CHROMIUM_PATH.');
  return found;
}

let running: Promise<Browser> | undefined;

/**
 * A headless Chromium for all tests of a process, started by the first page: a start takes 0.9 s of CPU. The back-forward cache
 * is on, as it is for visitors. What loads no page doesn't load Playwright either.
 */
function sharedBrowser(): Promise<Browser> {
  return (running ??= import('playwright-core').then(({ chromium }) =>
    chromium.launch({
      executablePath: chromiumPath(),
      args: FLAGS,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    }),
  ));
}

/** Closes every page that is open, with its context. */
export async function closePages(): Promise<void> {
  const browser = await running;
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/** Ends the browser of {@link openPage}. Where nobody does, it ends with the process. */
export async function closeBrowser(): Promise<void> {
  const browser = await running;
  running = undefined;
  await browser?.close();
}

/** A page in a context of its own, with an empty profile, and the errors that reached its window. Closing the context ends both. */
export async function openPage(
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const context = await (await sharedBrowser()).newContext(options);
  // Where several suites and a loaded machine share two cores, a page may take long.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  watchRequests(page);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  return { page, context, errors };
}
