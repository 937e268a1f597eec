import { accessSync, constants } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
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

/**
 * A headless Chromium with an empty profile; `args` are further flags. The back-forward cache is on, as it is for
 * visitors. The caller closes the browser.
 */
export function launchBrowser({ args = [] }: { args?: string[] } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [...FLAGS, ...args],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}

/** A page in a context of its own, and the errors that reached its window. Closing the context ends both. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext(options);
  // Where several suites and a loaded machine share two cores, a page may take long.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  watchRequests(page);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  return { page, context, errors };
}
