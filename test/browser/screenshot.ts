/** `node --import tsx test/browser/screenshot.ts` makes the picture of the README: the overview of the demo's month. */
import { createTicket } from '../../src/console/server/ticket.js';
import { runDemo } from '../../src/cli/demo/demo.js';
import { ADMIN_TOKEN, OPERATOR_ENV } from '../console/support.js';
import { startService } from '../support/service.js';
import { closeBrowser, openPage } from './support/browser.js';
import { quiet } from './support/quiet.js';

const SHOP = 'online-retail';
const PICTURE = 'test/browser/overview.png';

const service = await startService({ env: OPERATOR_ENV });
try {
  const { stdout } = process;
  const signal = new AbortController().signal;
  const key = await service.key(SHOP);
  const { exitCode } = await runDemo({ url: service.url, stdout, signal, key });
  if (exitCode !== 0) throw new Error('The figures of the demo differ.');
  try {
    const { page } = await openPage({ locale: 'en-GB', viewport: { width: 1440, height: 1000 } });
    const next = encodeURIComponent(`/shop/${SHOP}?from=2010-12-01&to=2010-12-23`);
    await page.goto(`${service.url}/signin?next=${next}#ticket=${createTicket(ADMIN_TOKEN, Date.now())}`);
    await page.locator('.plot a').first().waitFor();
    await quiet(page);
    await page.screenshot({ path: PICTURE });
  } finally {
    await closeBrowser();
  }
} finally {
  await service.stop();
}
