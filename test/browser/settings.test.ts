import { expect } from 'chai';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import { openAlertLoops } from '../../workers/open-alerts.js';
import { audit } from './support/axe.js';
import { useApp } from './support/app.js';
import { foldedNames } from './support/folded.js';
import { quiet } from './support/quiet.js';

const NAMED = {
  costs: ['Unit cost', 'Valid from', 'Set'],
  expenses: ['Amount', 'How often', 'Days', 'Counts as'],
  fees: ['Percent', 'Fixed', 'Orders'],
};
const SECTIONS = ['shop', 'costs', 'expenses', 'fees', 'pixel', 'alerts', 'bi'];

describe('the settings of a shop in a browser', () => {
  const { service, open, sellingShop } = useApp();
  const path = (shop: { id: string }, section: string): string => `/shop/${shop.id}/settings/${section}`;

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    it(`are each without a fault of axe, and scroll to no side, ${width} wide and ${colorScheme}`, async () => {
      const shop = await sellingShop();
      await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'x'.repeat(255), unit_cost: '4.92' }] });
      await shop.call('POST', '/v1/costs/expenses', {
        external_id: 'e',
        name: 'n'.repeat(255),
        category: 'other',
        amount: '7',
        currency: 'GBP',
        frequency: 'monthly',
        started_on: '2026-01-01',
      });
      await shop.call('PUT', '/v1/costs/gateway-fees', {
        rules: [{ payment_gateway: 'g'.repeat(255), percent: '1.4', fixed: '0.20' }],
      });
      await service().settled();
      const { page, faults } = await open(path(shop, 'shop'), { viewport: { width, height: 900 }, colorScheme });
      for (const section of SECTIONS) {
        await page.goto(service().url + path(shop, section));
        const current = page.locator('.settings-nav [aria-current=page]');
        await current.waitFor();
        await quiet(page);
        const { x = -1, width: long = 0 } = (await current.boundingBox()) ?? {};
        expect([x, x + long], `${section} is in sight`).to.satisfy(
          ([left = 0, right = 0]) => left >= 0 && right <= width,
        );
        expect(await audit(page), section).to.deep.equal([]);
        const [needed, room] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        );
        expect(needed, section).to.equal(room);
        // The days that the orders are of are left out.
        const folded = (await foldedNames(page)).map((names) => names.map((name) => name.replace(/ of .*/, '')));
        if (section === 'costs' || section === 'expenses' || section === 'fees')
          expect(folded, section).to.deep.equal([width === 390 ? NAMED[section] : []]);
      }
      expect(faults).to.deep.equal([]);
    });
  }

  it('name the BI users of the shop alone', async () => {
    const [shop, other] = [await sellingShop(), await service().shop()];
    const users = createBiUsers(service().stores.warehouse, service().config.clickhouseDatabase);
    await users.bind(`bi_one_${process.pid}`, shop.id);
    await users.bind(`bi_two_${process.pid}`, other.id);
    const { page, faults } = await open(path(shop, 'bi'));
    await page.getByRole('row', { name: new RegExp(`^bi_one_${process.pid} .* open$`) }).waitFor();
    await page.getByText(`bi create-user --shop ${shop.id}`).waitFor();
    expect(await page.getByText(`bi_two_${process.pid}`).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
  });

  it('lead from one to the other by links, and Back', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/shop/${shop.id}`);
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('heading', { name: 'Shop', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Pixel' }).click();
    await page.getByText(`profit('purchase', { order_id: '1001' })`).waitFor();
    await page.getByText('No visit yet').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Shop', exact: true }).waitFor();
    await page.goto(service().url + path(shop, 'nonsense'));
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  });

  it('begin with the shop, also where the link is followed before it is known who is signed in', async () => {
    const shop = await sellingShop();
    const { page } = await open(path(shop, 'bi'));
    await page.getByRole('heading', { name: 'BI access' }).waitFor();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/app/api/session', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${service().url}/shop/${shop.id}`);
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.waitForURL('**/settings/shop');
    release();
    await page.getByRole('heading', { name: 'Shop', exact: true }).waitFor();
  });

  it('set alerts one by one, in two tabs at once, and say which threshold cannot be', async () => {
    const shop = await sellingShop();
    const { page } = await open(path(shop, 'alerts'));
    const { page: other } = await open(path(shop, 'alerts'));
    const box = (of: typeof page, name: string) => of.getByRole('checkbox', { name });
    await box(page, 'Known product costs fall').check();
    await quiet(page);
    await box(other, 'A day ends with a loss').check();
    await quiet(other);
    const threshold = other.getByLabel('A past day changes: by more than … GBP');
    await threshold.fill('4,92');
    await threshold.blur();
    await other.getByText('must be an amount such as 100.00').waitFor();
    const saved = other.waitForResponse((response) => response.request().method() === 'PUT');
    await threshold.fill('250.50');
    await threshold.blur();
    await saved;
    await other.reload();
    await quiet(other);
    expect(await threshold.inputValue()).to.equal('250.50');
    expect(await box(other, 'Known product costs fall').isChecked()).to.equal(true);
    expect(await box(other, 'A day ends with a loss').isChecked()).to.equal(true);
    expect(await box(other, 'No order arrives').isChecked()).to.equal(false);
  });

  it('show a raised alert in the list and on the overview, and the signing secret once', async () => {
    const shop = await service().shop({ currency: 'GBP' });
    const orders = [
      {
        order_id: '1',
        placed_at: new Date().toISOString(),
        currency: 'GBP',
        status: 'paid',
        total: '10',
        line_items: [{ line_id: '1', sku: 'A', quantity: '1', unit_price: '10' }],
      },
    ];
    await shop.call('POST', '/v1/orders', { orders });
    await service().settled();
    const { page, faults } = await open(path(shop, 'alerts'));
    await page.getByRole('checkbox', { name: 'Known product costs fall' }).check();
    await quiet(page);
    await page.getByLabel('URL').fill('https://hooks.example.invalid/profit');
    await page.getByRole('button', { name: 'Save' }).click();
    const secret = await page.getByRole('group', { name: 'Signing secret' }).innerText();
    expect(secret).to.match(/^whsec_/);
    // What is read again, as it is all the time, does not take the secret away.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await quiet(page);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('It could not be reached').waitFor();
    expect(await page.content()).not.to.contain(secret);

    await openAlertLoops(service().config, service().stores, 0, () => undefined).look();
    await page.reload();
    await page.getByText('The product costs of 0% of the orders are known, of less than 95%.').waitFor();
    await page.getByText('still so').waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.locator('.alert-bar', { hasText: 'Known product costs fall' }).waitFor();
    await page.getByRole('link', { name: 'See the alerts' }).click();
    await page.getByText('still so').waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('hold what the shop is, before its first order and after', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'Europe/London' });
    await shop.call('PUT', '/v1/source', {
      platform: 'test',
      currency: 'GBP',
      timezone: 'Europe/London',
      conversion: { count: 'placed' },
    });
    const { page, faults } = await open(path(shop, 'shop'));
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByLabel('Address of the shop').fill('shop.example.com');
    await page.getByLabel('Its other addresses').fill('pay.example.net, checkout.example.net');
    await page.getByRole('button', { name: 'Save' }).click();
    const source = async () => (await shop.call('GET', '/v1/source')).body;
    await quiet(page);
    expect(await source()).to.deep.include({
      currency: 'EUR',
      timezone: 'Europe/London',
      shop_domain: 'shop.example.com',
      own_hosts: ['pay.example.net', 'checkout.example.net'],
      conversion: { count: 'placed' },
    });
    expect(faults).to.deep.equal([]);

    await shop.call('POST', '/v1/orders', {
      orders: [
        {
          order_id: '1',
          placed_at: new Date().toISOString(),
          currency: 'EUR',
          status: 'paid',
          total: '10',
          line_items: [{ line_id: '1', quantity: '1', unit_price: '10' }],
        },
      ],
    });
    await page.reload();
    await page.getByText('are fixed since the first order arrived').waitFor();
    expect(await page.getByLabel('Currency').isDisabled()).to.equal(true);
    expect(await page.getByLabel('Time zone').isDisabled()).to.equal(true);
    await page.getByLabel('Address of the shop').fill('https://shop.example.com/');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('shop_domain').waitFor();
    await page.getByLabel('Address of the shop').fill('');
    await page.getByLabel('Its other addresses').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await quiet(page);
    expect(await source()).not.to.have.any.keys('shop_domain', 'own_hosts');
  });
});
