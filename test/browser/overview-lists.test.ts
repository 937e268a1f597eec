import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dayBefore, TODAY } from './support/recorded-shops.js';
import { useRecorded } from './support/recorded.js';

describe('what weighed and what earned most, in a browser', () => {
  const { open, read, url } = useRecorded();

  const rows = (page: Page, name: string) => page.getByRole('region', { name }).getByRole('listitem');
  const amounts = (page: Page, name: string): Promise<string[]> =>
    rows(page, name)
      .locator('data')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''));

  it('are the first five of the API each, with a reason, and lead to the order and the product', async () => {
    const { page, faults } = await open('losses', '');
    await rows(page, 'What weighed most').nth(4).waitFor();
    await rows(page, 'Products that earned most').nth(4).waitFor();
    const days = `from=${dayBefore(29)}&to=${TODAY}&limit=5`;
    const worst = await read('losses', `/v1/orders?${days}&sort=profit&order=asc`);
    const best = await read('losses', `/v1/products?${days}&sort=gross_profit`);
    expect(await amounts(page, 'What weighed most')).to.deep.equal(
      (worst.orders as { profit: string }[]).map(({ profit }) => profit),
    );
    expect(await amounts(page, 'Products that earned most')).to.deep.equal(
      (best.products as { gross_profit: string }[]).map((product) => product.gross_profit),
    );
    expect(await rows(page, 'What weighed most').first().innerText()).to.contain('£1,100.005 refunded of £21.50');
    await page.getByRole('link', { name: 'Order L-11' }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/orders/L-11'));
    await page.goBack();
    await page.getByRole('link', { name: 'All orders' }).click();
    await page.waitForURL(
      (url) => url.searchParams.get('sort') === 'profit' && url.searchParams.get('order') === 'asc',
    );
    expect(faults).to.deep.equal([]);
  });

  it('are the largest refunds where no order made a loss, and the orders that left least where none was refunded', async () => {
    const refunded = (await open('selling', '')).page;
    await rows(refunded, 'What weighed most').first().waitFor();
    expect(await amounts(refunded, 'What weighed most')).to.deep.equal(['-200.005']);
    const { page } = await open('spend-abroad', '');
    await rows(page, 'What weighed most').first().waitFor();
    const { orders } = await read('spend-abroad', `/v1/orders?from=${TODAY}&to=${TODAY}`);
    expect(await amounts(page, 'What weighed most')).to.deep.equal([orders[0].profit]);
  });

  it('stand in a sheet as the few refunds that are most of the sum, and the figure before is a step back', async () => {
    const { page, faults } = await open('more-losses', '?figure=net_profit');
    const sheet = page.locator('.sheet');
    await sheet.getByText('14 refunds').waitFor();
    await sheet.getByRole('heading', { name: 'Days that stand out' }).waitFor();
    const best = await sheet.locator('.stand-outs data').first().getAttribute('value');
    const figures = await read('more-losses', `/v1/metrics?from=${TODAY}&to=${TODAY}`);
    expect(best).to.equal(figures.net_profit);
    await sheet.getByRole('link', { name: 'Refunds', exact: true }).click();
    // 1,100.005 + 900.005 + 700.005 + 500.005 + 300.005 of 3,616.03
    await sheet.getByText('are 96.8% of the sum').waitFor();
    await sheet.getByRole('button', { name: 'Back to Net profit' }).click();
    await page.getByRole('dialog', { name: 'Net profit' }).waitFor();
    const loading = page.waitForEvent('download');
    await sheet.getByRole('link', { name: 'CSV of all entries' }).click();
    expect((await loading).suggestedFilename()).to.match(/\.csv$/);
    await page.goto(await url('more-losses', `?range=today&figure=refunds`));
    await sheet.locator('.chip.on', { hasText: 'Newest first' }).waitFor();
    expect(faults).to.deep.equal([]);
  });
});
