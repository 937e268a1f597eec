import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addMoney } from '../../src/console/web/shared/money.js';
import { EXPLAINABLE_FIGURES } from '../../src/domain/metrics/figure-list.js';
import { order, rent, today, useApp } from './support/app.js';
import { quiet } from './support/quiet.js';

describe('what a figure is made of, in a browser', () => {
  const { service, open, sellingShop } = useApp();

  const sheet = (page: Page) => page.locator('.sheet');
  const count = (page: Page, text: string) => sheet(page).locator('footer').getByText(text).waitFor();
  const rows = async (page: Page): Promise<string[]> =>
    (await sheet(page).locator('tbody tr').allInnerTexts()).map((text) => text.split(/\s*[\t\n]+\s*/).join(' | '));
  const amounts = (page: Page): Promise<string[]> =>
    sheet(page)
      .locator('tbody data')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''));
  const total = (page: Page): Promise<string | null> => sheet(page).locator('.loud data').getAttribute('value');

  it('is shown entry by entry, the highest amount first, with a total that is the figure', async () => {
    const shop = await sellingShop();
    const { page, faults } = await open(`/shop/${shop.id}`);
    await page.locator('[data-figure=net_profit]').click();
    await sheet(page).getByRole('link', { name: 'Entries', exact: true }).click();
    await count(page, '7 entries');
    const all = await rows(page);
    expect(all.slice(0, 2).map((text) => text.split(' | ')[0])).to.deep.equal(['Sale', 'Sale']);
    expect(
      all.some(
        (text) =>
          text.includes('Product cost') &&
          text.includes('Order 1') &&
          text.includes('3 × £120.10') &&
          text.includes('−£360.30'),
      ),
    ).to.equal(true);
    expect(
      all.some((text) => text.includes('Payment fee') && text.includes('Order 2') && text.includes('−£18.07')),
    ).to.equal(true);
    expect(await total(page)).to.equal('1512.255');
    expect(addMoney(...(await amounts(page)))).to.equal('1512.255');
    await page.keyboard.press('Escape');
    await sheet(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).to.equal('');
    expect(faults).to.deep.equal([]);
  });

  it('says where a unit cost, an estimated fee, ad spend and an expense come from', async () => {
    const shop = await sellingShop();
    const lastYear = Number(today().slice(0, 4)) - 1;
    await shop.call('PUT', '/v1/products/costs', {
      costs: [{ sku: 'MUG', unit_cost: '2', effective_from: `${lastYear}-01-02` }],
    });
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'stripe', percent: '1.4', fixed: '0.25' }],
    });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [{ channel: 'Poster', event_date: today(), currency: 'GBP', spend: '30' }],
    });
    await shop.call('POST', '/v1/costs/expenses', rent());
    const line = { line_id: '1', sku: 'MUG', quantity: '3', unit_price: '411.50' };
    await shop.call('POST', '/v1/orders', {
      orders: [order('3', { line_items: [line], gateway_fee: undefined, payment_gateway: 'stripe' })],
    });
    await service().settled();
    const { page } = await open(`/shop/${shop.id}?figure=net_profit&view=entries`);
    await count(page, '11 entries');
    await quiet(page);
    const all = (await rows(page)).join('\n');
    expect(all).to.contain(`MUG · 3 × £2.00 · cost list from 2 Jan ${lastYear} | −£6.00`);
    expect(all).to.contain('stripe: 1.40% + 0.25 | −£17.533');
    expect(all).to.contain('custom:poster | −£30.00');
    await page.goto(`${service().url}/shop/${shop.id}?figure=operating_expenses`);
    await count(page, '1 entry');
    expect((await rows(page)).join()).to.contain('Rent | £700.00');
  });

  it('comes page after page, by amount or by time, and adds up to the figure at the end; Back goes a page back', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const orders = Array.from({ length: 20 }, (_, i) => order(String(i), { placed_at: `${today()}T00:00:00Z` }));
    await shop.call('POST', '/v1/orders', { orders });
    await service().settled();
    const { page } = await open(`/shop/${shop.id}?figure=net_profit&view=entries`);
    await sheet(page).getByRole('link', { name: 'Newest first' }).click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'time');
    await count(page, '60 entries');
    const pages: string[][] = [];
    for (const size of [25, 25, 10]) {
      await quiet(page);
      pages.push(await amounts(page));
      expect(pages.at(-1)).to.have.lengthOf(size);
      const next = sheet(page).getByRole('link', { name: 'Next 25' });
      if (size === 25) {
        const before = page.url();
        await next.click();
        await page.waitForURL((url) => url.href !== before);
      } else expect(await next.count()).to.equal(0);
    }
    expect(addMoney(...pages.flat())).to.equal(await total(page));
    const last = page.url();
    await page.goBack();
    await page.waitForURL((url) => url.href !== last);
    await quiet(page);
    expect(await amounts(page)).to.deep.equal(pages[1]);
  });

  it('is asked for again on a press where it could not be read', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/shop/${shop.id}`);
    await page.route('**/v1/metrics/explain?*', (route) => route.abort(), { times: 1 });
    await page.goto(`${service().url}/shop/${shop.id}?figure=revenue&view=entries`);
    await sheet(page).getByText('The service can’t be reached.').waitFor();
    await sheet(page).getByRole('button', { name: 'Try again' }).click();
    await count(page, '2 entries');
    expect(await total(page)).to.equal('2469.00');
  });

  it('opens from every amount of the statement: parts that add up, days, and entries', async () => {
    const shop = await sellingShop();
    const { page, faults } = await open(`/shop/${shop.id}`);
    const doors = page.locator('.hero .statement a.door');
    await page.locator('.hero .statement data').first().waitFor();
    const keys = await doors.evaluateAll((all) =>
      all.map((one) => /figure=(\w+)/.exec(one.getAttribute('href') ?? '')?.[1] ?? ''),
    );
    expect(keys).to.have.lengthOf(15);
    for (const key of keys) {
      await page.goto(`${service().url}/shop/${shop.id}?figure=${key}`);
      const views = sheet(page).locator('.segments a');
      await sheet(page).locator('.loud data').waitFor();
      const names = await views.allInnerTexts();
      expect(names.includes('Entries'), key).to.equal(EXPLAINABLE_FIGURES.some((figure) => figure === key));
      if (names.includes('Parts')) await count(page, 'The parts add up to the figure.');
      await views.filter({ hasText: 'Days' }).click();
      await sheet(page).locator('tbody tr').nth(29).waitFor();
      expect(addMoney(...(await amounts(page))), key).to.equal(await total(page));
    }
    expect(faults).to.deep.equal([]);
  });
});
