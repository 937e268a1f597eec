import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addMoney } from '../../src/console/web/shared/money.js';
import type { Shop } from '../support/service.js';
import { order, today, useApp } from './support/app.js';
import { quiet } from './support/quiet.js';

const SIZE = 30;

describe('the list of orders in a browser', () => {
  const { service, open } = useApp();

  async function shopWithOrders(): Promise<Shop> {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const orders = Array.from({ length: SIZE }, (_, i) => {
      const refund = { refund_id: 'r', refunded_at: `${today()}T00:00:00Z`, total: `${i * 100}.5` };
      const unpriced = [{ line_id: '1', quantity: '3', unit_price: '411.50' }];
      return order(`N${i}`, {
        placed_at: `${today()}T00:00:00.${String(i).padStart(3, '0')}Z`,
        refunds: i % 3 === 0 ? [refund] : [],
        ...(i === 4 && { line_items: unpriced }),
        ...(i === 6 && { payment_gateway: 'card', gateway_fee: undefined }),
        ...(i === 7 && { line_items: [{ line_id: '1', sku: 'MUG', quantity: '3', unit_price: '411.50' }] }),
        ...(i === 5 && { status: 'pending' }),
        ...(i < 20 && { country: i % 3 === 0 ? 'FR' : 'DE', tags: i % 2 === 0 ? ['Gift', 'VIP'] : [] }),
      });
    });
    expect((await shop.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(SIZE);
    await service().settled();
    return shop;
  }

  const names = (page: Page): Promise<string[]> =>
    page.locator('.list-table tbody tr:not(.total) a.door').allInnerTexts();
  const settle = async (page: Page, param: string, value: string | null): Promise<void> => {
    await page.waitForURL((url) => url.searchParams.get(param) === value);
    await quiet(page);
    await page.locator('.panel:not(.stale) .pager').waitFor();
  };
  const asked = async (
    shop: Shop,
    query: string,
  ): Promise<{ names: string[]; totals: Record<string, string>; count: number }> => {
    const { body } = await shop.call('GET', `/v1/orders?from=${today()}&to=${today()}&limit=25&${query}`);
    const orders = body.orders as { order_id: string }[];
    return {
      names: orders.map(({ order_id: id }) => id),
      totals: body.totals as Record<string, string>,
      count: body.count as number,
    };
  };

  it('is what the API lists: newest first, its totals, page after page', async () => {
    const shop = await shopWithOrders();
    const { page, faults } = await open(`/shop/${shop.id}/orders`);
    await page.locator('.list-table').waitFor();
    const first = await asked(shop, '');
    expect(await names(page)).to.deep.equal(first.names);
    const totals = await page
      .locator('tr.total data')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    const { revenue = '', refunds = '', cogs = '', gateway_fees = '', profit = '' } = first.totals;
    expect(totals).to.deep.equal([revenue, `-${refunds}`, `-${cogs}`, `-${gateway_fees}`, profit]);
    expect(addMoney(...totals.slice(0, 4).map(String))).to.equal(profit);
    await page.getByText(`1 – 25 of ${SIZE} orders`).waitFor();
    await page.getByRole('link', { name: 'Next 25' }).click();
    await page.locator('.list-table').getByText('N0', { exact: true }).waitFor();
    await page.getByText(`26 – ${SIZE} of ${SIZE} orders`).waitFor();
    const rest = await names(page);
    expect(rest).to.have.lengthOf(SIZE - 25);
    expect(new Set([...first.names, ...rest]).size).to.equal(SIZE);
    await page.goBack();
    await page.locator('.list-table').getByText('N29', { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('is sorted, filtered and searched by the service, and the address says how', async () => {
    const shop = await shopWithOrders();
    const { page, faults } = await open(`/shop/${shop.id}/orders`);
    await page.locator('.list-table').waitFor();
    await page.getByRole('link', { name: 'Profit before ads' }).click();
    await settle(page, 'sort', 'profit');
    expect(await names(page)).to.deep.equal((await asked(shop, 'sort=profit&order=desc')).names);
    await page.getByRole('link', { name: 'Profit before ads' }).click();
    await settle(page, 'order', 'asc');
    expect(await names(page)).to.deep.equal((await asked(shop, 'sort=profit&order=asc')).names);
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).to.equal('ascending');
    for (const [label, param] of [
      ['Refunded', 'refunded'],
      ['Loss', 'loss'],
      ['With a warning', 'warned'],
      ['Costs missing', 'missing_cost'],
      ['That count', 'counted'],
    ] as const) {
      await page.getByRole('link', { name: label, exact: true }).click();
      await settle(page, param, '1');
      const expected = await asked(shop, `sort=profit&order=asc&${param}=1`);
      expect(await names(page), label).to.deep.equal(expected.names);
      expect(expected.count, label).to.be.within(1, SIZE - 1);
      await page.getByRole('link', { name: label, exact: true }).click();
      await settle(page, param, null);
    }
    for (const [label, value, param, known] of [
      ['Payment', 'Card', 'gateway', 'card'],
      ['Product', 'MUG', 'sku', 'MUG'],
    ] as const) {
      await page.getByRole('button', { name: label }).click();
      const box = page.getByRole('dialog').getByRole('combobox');
      await quiet(page);
      expect(
        await page.locator('dialog option').evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
      ).to.deep.equal([known]);
      await box.fill(value);
      await page.keyboard.press('Enter');
      await settle(page, param, value);
      expect(await names(page), label).to.deep.equal(
        (await asked(shop, `sort=profit&order=asc&${param}=${value}`)).names,
      );
      await page.getByRole('link', { name: value }).click();
      await settle(page, param, null);
    }
    await page.getByRole('button', { name: 'Channel' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'No visit seen' }).click();
    await settle(page, 'channel', 'unattributed');
    await page.locator('.filters').getByRole('link', { name: 'No visit seen' }).click();
    await settle(page, 'channel', null);
    const search = page.getByRole('searchbox');
    await search.pressSequentially('n2');
    expect(new URL(page.url()).searchParams.has('q')).to.equal(false);
    await search.press('Enter');
    await settle(page, 'q', 'n2');
    expect(await names(page)).to.deep.equal((await asked(shop, 'sort=profit&order=asc&q=n2')).names);
    await page.reload();
    await page.locator('.list-table').waitFor();
    expect(await search.inputValue()).to.equal('n2');
    expect(faults).to.deep.equal([]);
  });

  it('leads from an order to those beside it in the list, and shows it in a form that can be pushed again', async () => {
    const shop = await shopWithOrders();
    const { page, faults } = await open(`/shop/${shop.id}/orders?sort=profit&order=asc&refunded=1`);
    const list = (await asked(shop, 'sort=profit&order=asc&refunded=1')).names;
    const [, second = ''] = list;
    await page.locator('.list-table').getByRole('link', { name: second, exact: true }).click();
    const after = page.getByRole('link', { name: 'The next order in the list' });
    const before = page.getByRole('link', { name: 'The order before in the list' });
    await before.click();
    await page.waitForURL(`**/orders/${list[0]}?sort=profit&order=asc&refunded=1`);
    await after.click();
    await page.waitForURL(`**/orders/${list[1]}?*`);
    await after.click();
    await page.waitForURL(`**/orders/${list[2]}?*`);
    await before.waitFor();

    const line = page.getByRole('region', { name: 'Products of this order, table' }).locator('tbody td data');
    await line.first().waitFor();
    expect(await line.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).to.deep.equal(
      '411.50 1234.50 120.10 360.30'.split(' '),
    );
    await page.getByText('Show the order as JSON').click();
    const text = await page.getByRole('group', { name: 'The order as JSON' }).innerText();
    const { body } = await shop.call('POST', '/v1/orders', { orders: [JSON.parse(text)] });
    expect([body.accepted, body.superseded, body.rejected], JSON.stringify(body)).to.deep.equal([1, 0, 0]);
    const [sent, stored] = [JSON.parse(text), (await shop.call('GET', `/v1/orders/${list[2]}`)).body];
    expect(stored).to.deep.include({ total: sent.total, placed_at: sent.placed_at, gateway_fee: '18.07' });
    expect(faults).to.deep.equal([]);
  });

  it('leads from the last order of a page to the first of the next one, and back', async () => {
    const shop = await shopWithOrders();
    const { page, faults } = await open(`/shop/${shop.id}/orders`);
    const { names: first } = await asked(shop, '');
    const last = first.at(-1) ?? '';
    await page.locator('.list-table').getByRole('link', { name: last, exact: true }).click();
    const isAt = (name: string) =>
      page.getByRole('heading', { level: 1, name: `Orders / ${name}`, exact: true }).waitFor();
    await isAt(last);
    await page.getByRole('link', { name: 'The next order in the list' }).click();
    await isAt('N4');
    expect(first).not.to.contain('N4');
    expect(new URL(page.url()).searchParams.get('page')).to.equal('2');
    await page.getByRole('link', { name: 'The next order in the list' }).click();
    await isAt('N3');
    await page.getByRole('link', { name: 'The order before in the list' }).click();
    await isAt('N4');
    await page.getByRole('button', { name: 'The order before in the list', disabled: true }).waitFor();
    for (const name of ['N3', 'N4']) {
      await page.goBack();
      await isAt(name);
    }
    await page.getByRole('link', { name: 'The order before in the list' }).click();
    await isAt(last);
    await page.getByRole('link', { name: 'Orders', exact: true }).last().click();
    await page.getByText(`1 – 25 of ${SIZE} orders`).waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('is summed up by what orders have in common; a row opens its orders', async () => {
    const shop = await shopWithOrders();
    const { page, faults } = await open(`/shop/${shop.id}/orders?range=today`);
    await page.getByRole('link', { name: 'Profit by …' }).click();
    await settle(page, 'by', 'country');
    await page.locator('.list-table').getByRole('link', { name: 'Germany', exact: true }).waitFor();
    const { body } = await shop.call('GET', `/v1/breakdown?by=tag&sort=profit&order=asc&from=${today()}&to=${today()}`);
    await page.getByRole('link', { name: 'Tag', exact: true }).click();
    await page.getByText('the rows may add up to more').waitFor();
    await page.getByRole('link', { name: 'Profit before ads' }).click();
    await settle(page, 'sort', 'profit');
    await page.getByRole('link', { name: 'Profit before ads' }).click();
    await settle(page, 'order', 'asc');
    const profits = await page
      .locator('.list-table tbody tr td:last-child data')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(profits).to.deep.equal([body.totals.profit, ...body.rows.map((row: { profit: string }) => row.profit)]);
    expect(await page.getByRole('link', { name: 'CSV' }).getAttribute('href')).to.contain(
      `/csv/v1/breakdown?from=${today()}&to=${today()}&by=tag&sort=profit&order=asc`,
    );
    await page.locator('.list-table').getByRole('link', { name: 'VIP', exact: true }).click();
    await settle(page, 'tag', 'vip');
    expect(await names(page)).to.deep.equal((await asked(shop, 'tag=vip')).names);
    await page.getByRole('link', { name: 'vip', exact: true }).click();
    await settle(page, 'tag', null);
    expect(faults).to.deep.equal([]);
  });

  it('says of what is not known that it is not, and of an order that does not count why', async () => {
    const shop = await shopWithOrders();
    const { page } = await open(`/shop/${shop.id}/orders?q=N4`, { viewport: { width: 1440, height: 900 } });
    const row = page.locator('.list-table tbody tr', { has: page.getByRole('link', { name: 'N4', exact: true }) });
    await row.waitFor();
    expect(await row.innerText())
      .to.contain('not known')
      .and.contain('at most £1,216.43');
    await page.goto(`${service().url}/shop/${shop.id}/orders?q=N5`);
    await page.getByText('does not count: not paid yet').waitFor();
  });
});
