import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { order, today, useApp } from './support/app.js';

const dayBefore = (days: number): string =>
  new Date(Date.parse(today()) - days * 86_400_000).toISOString().slice(0, 10);

describe('what weighed and what earned most, in a browser', () => {
  const { service, open } = useApp();

  /** Twelve orders of one product each, half of them refunded beyond what was paid. */
  async function shopOfLosses() {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const orders = Array.from({ length: 12 }, (_, i) =>
      order(`L-${i}`, {
        line_items: [
          { line_id: '1', sku: `SKU-${i % 7}`, quantity: '1', unit_price: `${10 + i}.5`, unit_cost: '1.25' },
        ],
        total: `${10 + i}.5`,
        gateway_fee: '0.3',
        refunds:
          i % 2 === 0 ? [] : [{ refund_id: `r-${i}`, refunded_at: `${today()}T00:00:00Z`, total: `${100 * i}.005` }],
      }),
    );
    expect((await shop.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(12);
    await service().settled();
    return shop;
  }
  const rows = (page: Page, name: string) => page.getByRole('region', { name }).getByRole('listitem');
  const amounts = (page: Page, name: string): Promise<string[]> =>
    rows(page, name)
      .locator('data')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''));

  it('are the first five of the API each, with a reason, and lead to the order and the product', async () => {
    const shop = await shopOfLosses();
    const { page, faults } = await open(`/shop/${shop.id}`);
    await rows(page, 'What weighed most').nth(4).waitFor();
    await rows(page, 'Products that earned most').nth(4).waitFor();
    const days = `from=${dayBefore(29)}&to=${today()}&limit=5`;
    const { body: worst } = await shop.call('GET', `/v1/orders?${days}&sort=profit&order=asc`);
    const { body: best } = await shop.call('GET', `/v1/products?${days}&sort=gross_profit`);
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

  it('stand in a sheet as the few refunds that are most of the sum, and the figure before is a step back', async () => {
    const shop = await shopOfLosses();
    const more = Array.from({ length: 8 }, (_, i) =>
      order(`M-${i}`, { refunds: [{ refund_id: `m-${i}`, refunded_at: `${today()}T00:00:00Z`, total: '2' }] }),
    );
    await shop.call('POST', '/v1/orders', { orders: more });
    await service().settled();
    const { page, faults } = await open(`/shop/${shop.id}?figure=net_profit`);
    const sheet = page.locator('.sheet');
    await sheet.getByText('14 refunds').waitFor();
    await sheet.getByRole('heading', { name: 'Days that stand out' }).waitFor();
    const best = await sheet.locator('.stand-outs data').first().getAttribute('value');
    const { body: figures } = await shop.call('GET', `/v1/metrics?from=${today()}&to=${today()}`);
    expect(best).to.equal(figures.net_profit);
    await sheet.getByRole('link', { name: 'Refunds', exact: true }).click();
    // 1,100.005 + 900.005 + 700.005 + 500.005 + 300.005 of 3,616.03
    await sheet.getByText('are 96.8% of the sum').waitFor();
    await sheet.getByRole('button', { name: 'Back to Net profit' }).click();
    await page.getByRole('dialog', { name: 'Net profit' }).waitFor();
    const loading = page.waitForEvent('download');
    await sheet.getByRole('link', { name: 'CSV of all entries' }).click();
    expect((await loading).suggestedFilename()).to.match(/\.csv$/);
    await page.goto(`${service().url}/shop/${shop.id}?range=today&figure=refunds`);
    await sheet.locator('.chip.on', { hasText: 'Newest first' }).waitFor();
    expect(faults).to.deep.equal([]);
  });
});
