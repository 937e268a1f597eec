import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../embedded/processes.js';
import { rent, useApp } from './support/app.js';
import { hiddenControls } from './support/controls.js';
import { quiet } from './support/quiet.js';

/** Leaves the app. */
const LEAVING = 'Sign out';

/** Clicks every button that is there or comes up, those of an open dialog first; gives their names. */
async function clickAll(page: Page): Promise<string[]> {
  const clicked = new Set<string>();
  for (;;) {
    const dialog = page.locator('dialog[open]');
    const hasDialog = (await dialog.count()) > 0;
    const buttons = (hasDialog ? dialog.last() : page).locator(
      'button:visible:enabled:not([data-day]), summary:visible',
    );
    // The very one that has the name: another may have come to its place meanwhile, such as one that leaves the app.
    const found = await buttons.elementHandles();
    const names = await page.evaluate(
      (all) =>
        all.map((one) => {
          const name = one.getAttribute('aria-label') ?? (one.textContent ?? '').trim();
          const table = one.closest('table')?.querySelector('caption')?.textContent ?? '';
          return `${name} ${table} ${one.closest('dialog') === null ? '' : 'in a dialog'}`.trim();
        }),
      found,
    );
    const index = names.findIndex((name) => !clicked.has(name) && !name.startsWith(LEAVING));
    const name = names[index];
    if (name !== undefined) {
      clicked.add(name);
      // The click before may have taken it away.
      await found[index]?.click({ timeout: 5_000 }).catch(() => undefined);
    } else if (hasDialog) {
      await page.keyboard.press('Escape');
      await dialog.last().waitFor({ state: 'hidden' });
    } else {
      return [...clicked];
    }
  }
}

/** Every page of the app and one of the documentation. */
const PAGES = `/
/nothing-here
/shop/SHOP
/shop/SHOP?figure=refunds
/shop/SHOP?columns=month
/shop/SHOP?figure=gateway_fees&view=days
/shop/SHOP/orders
/shop/SHOP/orders?by=country
/shop/SHOP/orders/2
/shop/SHOP/products
/shop/SHOP/products/upload
/shop/SHOP/customers
/shop/SHOP/channels
/shop/SHOP/changes
/shop/SHOP/connections
/shop/SHOP/nothing-here
/shop/SHOP/settings/shop
/shop/SHOP/settings/costs
/shop/SHOP/settings/expenses
/shop/SHOP/settings/fees
/shop/SHOP/settings/pixel
/shop/SHOP/settings/alerts
/shop/SHOP/settings/bi
/shop/SHOP/settings/people
/developers?shop=SHOP&tab=start
/developers?shop=SHOP&tab=keys
/developers?shop=SHOP&tab=log
/docs/shopify
/signin
/share`.split('\n');

describe('every button of the app', () => {
  const { service, open, sellingShop } = useApp();

  for (const [path, fewest] of [
    ['', 10],
    ['/orders', 9],
    ['/products', 9],
  ] as const) {
    it(`can be clicked on the page “${path}” of a shop without an uncaught error`, async () => {
      const shop = await sellingShop();
      await shop.call('POST', '/v1/costs/expenses', rent());
      await shop.call('POST', '/v1/orders', { orders: [{ order_id: 'refused' }] });
      await service().settled();
      const { page, faults } = await open(`/shop/${shop.id}${path}`);
      await quiet(page);
      const clicked = await clickAll(page);
      await quiet(page);
      expect(faults, clicked.join('\n')).to.deep.equal([]);
      expect(new Set(clicked).size, clicked.join('\n')).to.be.at.least(fewest);
      await page.evaluate("setTimeout(() => { throw new TypeError('planted'); })");
      await until('the fault is seen', () => faults.length > 0);
      expect(faults.join()).to.contain('planted');
    });
  }

  it('can be seen and pressed on every page, and so can every link and field', async () => {
    const shop = await sellingShop();
    await service().call('POST', '/v1/orders', { key: shop.key, body: { orders: [{ order_id: 'refused' }] } });
    const { page } = await open('/');
    const faults: string[] = [];
    const look = async (name: string) => {
      await quiet(page);
      faults.push(...(await hiddenControls(page)).map((fault) => `${name}: ${fault}`));
    };
    for (const path of PAGES.map((rest) => rest.replace('SHOP', shop.id))) {
      await page.goto(service().url + path);
      await look(path);
    }
    await page.goto(`${service().url}/developers?shop=${shop.id}&tab=keys`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('for a page');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByText('it is not shown again').waitFor();
    await look('a new key');
    expect(faults.join('\n')).to.equal('');
  });
});
