import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { addMoney } from '../../src/console/web/shared/money.js';
import { EXPLAINABLE_FIGURES } from '../../src/domain/metrics/contributions.js';
import { order, rent, today, useApp } from './support/app.js';

describe('what a figure is made of, in a browser', () => {
  const { service, open, sellingShop } = useApp();

  async function openExplanation(page: Page, label: string): Promise<Locator> {
    await page.getByRole('button', { name: `About ${label}`, exact: true }).click();
    await page.getByRole('button', { name: 'Show what it is made of' }).click();
    return page.getByRole('dialog', { name: label, exact: true });
  }
  const rows = async (dialog: Locator): Promise<string[][]> => {
    const texts = await dialog.locator('tbody tr').allInnerTexts();
    return texts.map((text) => text.split('\t').slice(1));
  };
  const total = (dialog: Locator): Promise<string> => dialog.locator('tfoot td').innerText();

  it('is shown entry by entry, the highest amount first, with a total that is the figure', async () => {
    const shop = await sellingShop();
    const { page, faults } = await open(`/?shop=${shop.id}`);
    const dialog = await openExplanation(page, 'Net profit');
    await dialog.locator('tfoot').getByText('Total of 7').waitFor();
    const all = await rows(dialog);
    expect(all.slice(0, 2).map(([what]) => what)).to.deep.equal(['Sale', 'Sale']);
    expect(all).to.deep.include(['Product cost', 'Order 1 · 3 × £120.10', '-£360.30']);
    expect(all).to.deep.include(['Payment fee', 'Order 2', '-£18.07']);
    expect(await total(dialog)).to.equal(await page.locator('data[data-metric=net_profit]').innerText());
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
  });

  it('says where a unit cost, an estimated fee, ad spend and an expense come from', async () => {
    const shop = await sellingShop();
    await shop.call('PUT', '/v1/products/costs', {
      costs: [{ sku: 'MUG', unit_cost: '2', effective_from: '2026-01-02' }],
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
    const { page } = await open(`/?shop=${shop.id}`);
    const dialog = await openExplanation(page, 'Net profit');
    await dialog.locator('tfoot').getByText('Total of 11').waitFor();
    const all = await rows(dialog);
    expect(all).to.deep.include(['Product cost', 'Order 3 · MUG · 3 × £2.00 · catalog from 2 Jan 2026', '-£6.00']);
    expect(all).to.deep.include(['Estimated fee', 'Order 3 · stripe: 1.40 % + 0.25', '-£17.53']);
    expect(all).to.deep.include(['Ad spend', 'custom:poster', '-£30.00']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'About Net profit', exact: true }).click();
    const expenses = await openExplanation(page, 'Operating expenses');
    await expenses.locator('tfoot').getByText('Total of 1').waitFor();
    expect(await rows(expenses)).to.deep.include(['Expense', 'Rent', '£700.00']);
  });

  it('comes page after page, by amount or by time, and adds up to the figure at the end', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const orders = Array.from({ length: 60 }, (_, i) => order(String(i), { placed_at: `${today()}T00:00:00Z` }));
    await shop.call('POST', '/v1/orders', { orders });
    await service().settled();
    const { page } = await open(`/?shop=${shop.id}`);
    const dialog = await openExplanation(page, 'Net profit');
    await dialog.getByLabel('Sorted').selectOption('time');
    const more = dialog.getByRole('button', { name: 'Show more' });
    await dialog.getByText('Total, with the entries to come').waitFor();
    for (const count of [100, 150]) {
      await more.click();
      await expectRows(dialog, count);
    }
    await more.click();
    await dialog.locator('tfoot').getByText('Total of 180').waitFor();
    expect(await more.count()).to.equal(0);
    const amounts = (await rows(dialog)).map((row) => (row.at(-1) ?? '').replace(/[£,]/g, ''));
    expect(addMoney(...amounts)).to.equal((await total(dialog)).replace(/[£,]/g, ''));
  });

  it('is asked for again on a press where it could not be read', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/?shop=${shop.id}`);
    await page.route('**/v1/metrics/explain?*', (route) => route.abort(), { times: 1 });
    const dialog = await openExplanation(page, 'Revenue');
    await dialog.getByText('The service can’t be reached.').waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.locator('tfoot').getByText('Total of 2').waitFor();
    expect(await total(dialog)).to.equal('£2,469.00');
  });

  it('is offered for sums of money alone', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/?shop=${shop.id}`);
    await page.locator('.card').first().waitFor();
    for (const about of await page.getByRole('button', { name: /^About / }).all()) await about.click();
    const cards = page.locator('.card', { has: page.getByRole('button', { name: 'Show what it is made of' }) });
    const sums = await cards.locator('data[data-metric]').evaluateAll((all) => all.map((one) => one.dataset.metric));
    const shown = await page.locator('data[data-metric]').evaluateAll((all) => all.map((one) => one.dataset.metric));
    expect(sums).to.deep.equal(shown.filter((name) => EXPLAINABLE_FIGURES.some((figure) => figure === name)));
    expect(sums).to.include.members(['revenue', 'net_profit', 'operating_expenses']);
    for (const quotient of ['orders', 'aov', 'mer']) expect(sums).not.to.include(quotient);
  });
});

async function expectRows(dialog: Locator, count: number): Promise<void> {
  await dialog.locator(`tbody tr:nth-child(${count})`).waitFor();
  expect(await dialog.locator('tbody tr').count()).to.equal(count);
}
