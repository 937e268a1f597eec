import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addMoney, negated } from '../../src/console/web/shared/money.js';
import type { Shop } from '../support/service.js';
import { order, today, useApp } from './support/app.js';
import { quiet } from './support/quiet.js';

describe('products and their prices in a browser', () => {
  const { service, open } = useApp();

  async function unpricedShop(): Promise<Shop> {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const line = (sku: string, title: string, fields = {}) => [
      { line_id: '1', sku, title, quantity: '3', unit_price: '411.50', ...fields },
    ];
    const refund = {
      refund_id: 'r',
      refunded_at: `${today()}T00:00:00Z`,
      total: '411.50',
      line_items: [{ line_id: '1', quantity: '1', restock: true }],
    };
    const orders = [
      order('1', { line_items: line('MUG', 'A mug') }),
      order('2', { line_items: line('MUG', 'A mug'), refunds: [refund] }),
      order('3', { line_items: line('TEA', 'Some tea') }),
      order('4', { line_items: line('CUP', 'A cup', { unit_cost: '500' }) }),
    ];
    expect((await shop.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(4);
    await service().settled();
    return shop;
  }
  const netProfit = async (shop: Shop): Promise<string> =>
    String((await shop.call('GET', `/v1/metrics?from=${today()}&to=${today()}`)).body.net_profit);
  const cost = (page: Page, name: string) => page.getByLabel(`Unit cost of ${name}, GBP`);
  const preview = (page: Page, of: string) => page.locator(`[data-preview=${of}] data`);

  it('are priced in place: the preview changes nothing and is what the saved costs then change, to the digit', async () => {
    const shop = await unpricedShop();
    const before = await netProfit(shop);
    const { page, faults } = await open(`/shop/${shop.id}/products`);
    await page.getByRole('heading', { name: '2 products to price' }).waitFor();
    await cost(page, 'A mug').fill('120.100333');
    await cost(page, 'A mug').press('Enter');
    await preview(page, 'MUG').waitFor();
    // 6 sold, 1 back in stock
    expect(await preview(page, 'MUG').getAttribute('value')).to.equal('-600.501665');
    await cost(page, 'Some tea').fill('7');
    await cost(page, 'Some tea').blur();
    await preview(page, 'TEA').waitFor();
    const promised = await preview(page, 'all').getAttribute('value');
    expect(promised).to.equal('-621.501665');
    await service().settled();
    expect(await netProfit(shop)).to.equal(before);

    await page.getByRole('button', { name: 'Save 2 costs' }).click();
    await page.getByRole('heading', { name: /to price$/ }).waitFor({ state: 'detached' });
    expect(addMoney(await netProfit(shop), negated(before))).to.equal(promised);
    const mug = page.locator('.list-table tbody tr', { has: page.getByRole('link', { name: 'A mug' }) });
    await mug.getByText('−£600.501665').waitFor();
    expect(await mug.innerText()).not.to.contain('not known');
    expect(faults).to.deep.equal([]);
  });

  it('are previewed together, however late the answer for the first of them is', async () => {
    const shop = await unpricedShop();
    const { page } = await open(`/shop/${shop.id}/products`);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/v1/products/costs?validate_only=1', async (route) => {
      if (!route.request().postData()?.includes('TEA')) await held;
      await route.continue();
    });
    const first = page.waitForRequest('**/v1/products/costs?validate_only=1');
    await cost(page, 'A mug').fill('120.100333');
    await first;
    await cost(page, 'Some tea').fill('7');
    await preview(page, 'TEA').waitFor();
    release();
    await quiet(page);
    expect(await preview(page, 'all').getAttribute('value')).to.equal('-621.501665');
  });

  it('are saved by the first click, before the preview is there', async () => {
    const shop = await unpricedShop();
    const { page } = await open(`/shop/${shop.id}/products`);
    await cost(page, 'A mug').fill('120.1');
    await page.getByRole('button', { name: 'Save 1 cost' }).click();
    await page.getByRole('heading', { name: '1 product to price' }).waitFor();
    expect((await shop.call('GET', '/v1/products/costs')).body.costs).to.have.lengthOf(1);
  });

  it('that can’t be read are said beside the product, and are not saved', async () => {
    const shop = await unpricedShop();
    const { page } = await open(`/shop/${shop.id}/products`);
    await cost(page, 'A mug').fill('4,92');
    await cost(page, 'A mug').blur();
    await page.getByText('unit_cost must be a plain non-negative decimal').waitFor();
    expect(await cost(page, 'A mug').getAttribute('aria-invalid')).to.equal('true');
    expect(await page.getByRole('button', { name: 'Save 1 cost' }).isDisabled()).to.equal(true);
    expect((await shop.call('GET', '/v1/products/costs')).body.costs).to.deep.equal([]);
  });

  it('are those of the API, sorted and searched by the service; what is not known is neither 0 nor 100 %', async () => {
    const shop = await unpricedShop();
    const { page, faults } = await open(`/shop/${shop.id}/products`, { viewport: { width: 1440, height: 900 } });
    const table = page.locator('.list-table');
    const row = (name: string) => table.locator('tbody tr', { has: page.getByRole('link', { name }) });
    await row('A mug').waitFor();
    expect(await row('A mug').innerText())
      .to.match(/not known/)
      .and.to.contain('at most £2,057.50')
      .and.not.contain('100');
    expect(await row('A cup').innerText())
      .to.contain('−£265.50')
      .and.contain('−21.5%');
    expect(await table.locator('tr.total').innerText())
      .to.contain('at most')
      .and.contain('£4,938.00');
    const names = () => table.locator('a.door').allInnerTexts();
    await page.getByRole('link', { name: 'Gross profit' }).click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'gross_profit');
    await page.getByRole('link', { name: 'Gross profit' }).click();
    await page.waitForURL((url) => url.searchParams.get('order') === 'asc');
    await table.locator('tbody tr:nth-child(2)', { hasText: 'A cup' }).waitFor();
    expect(await names()).to.deep.equal(['A cup', 'Some tea', 'A mug']);
    await page.getByRole('link', { name: 'Sold at a loss' }).click();
    await row('A mug').waitFor({ state: 'detached' });
    expect(await names()).to.deep.equal(['A cup']);
    await page.goto(`${service().url}/shop/${shop.id}/products?q=tea`);
    await row('Some tea').waitFor();
    expect(await names()).to.deep.equal(['Some tea']);
    await row('Some tea').getByRole('link').click();
    await page.locator('.list-table').getByText('3', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('sku')).to.equal('TEA');
    expect(faults).to.deep.equal([]);
  });
});
