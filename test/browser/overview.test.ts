import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Shop } from '../support/service.js';
import { audit } from './support/axe.js';
import { order, rent, today, useApp } from './support/app.js';
import { quiet } from './support/quiet.js';

const dayBefore = (days: number): string =>
  new Date(Date.parse(today()) - days * 86_400_000).toISOString().slice(0, 10);

describe('the overview in a browser', () => {
  const { service, open, sellingShop } = useApp();

  const value = (page: Page, name: string) => page.locator(`data[data-metric=${name}]`);
  const loud = (page: Page) => page.locator('[data-figure=earnings] data');
  const two = (page: Page) => value(page, 'orders').and(page.locator('[value="2"]'));
  const expense = (shop: Shop, fields: Record<string, unknown> = {}) =>
    shop.call('POST', '/v1/costs/expenses', rent(fields));
  const openRange = async (page: Page): Promise<void> => {
    await page.locator('.range-button').click();
    await page.getByRole('dialog', { name: 'Choose days' }).waitFor();
  };
  const showPreset = async (page: Page, name: string): Promise<void> => {
    await openRange(page);
    await page.getByRole('button', { name, exact: true }).click();
  };

  it('shows what is earned, and how it comes about', async () => {
    const shop = await sellingShop();
    await expense(shop);
    const { page, faults } = await open(`/shop/${shop.id}`);
    await two(page).waitFor();
    // 2469.00 - 200.005 - 720.60 - 36.14 - 700.00
    expect(await loud(page).getAttribute('value')).to.equal('812.255');
    expect(await loud(page).innerText()).to.equal('£812.255');
    expect(await page.locator('[data-figure=net_profit]').innerText()).to.equal('£1,512.255');
    const lines = await page.locator('.statement tbody tr').allInnerTexts();
    expect(
      lines
        .slice(-5)
        .map((text) => text.split('\t').map((cell) => cell.trim()))
        .map((cells) => [cells[0], cells.at(-1)]),
    ).to.deep.equal([
      ['Net profit', '£1,512.255'],
      ['Taxes passed on', 'not known'],
      ['Packing and shipping', 'not known'],
      ['Expenses', '−£700.00'],
      ['Earnings', '£812.255'],
    ]);
    expect(await page.getByText('No expenses known').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
  });

  it('says where no expenses are known, and leads to where they are added', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/shop/${shop.id}`);
    await page.getByText('No expenses known').waitFor();
    await page.getByRole('link', { name: 'Add expenses' }).click();
    await page.getByRole('button', { name: 'Add expense' }).waitFor();
  });

  it('says beside the earnings what has no cost, and how complete these very days are', async () => {
    const shop = await sellingShop();
    const line = { line_id: '1', quantity: '3', unit_price: '411.50' };
    await shop.call('POST', '/v1/orders', {
      orders: [order('3', { placed_at: `${dayBefore(1)}T00:00:00Z`, line_items: [line], gateway_fee: undefined })],
    });
    await service().settled();
    const { page } = await open(`/shop/${shop.id}`);
    await page.getByText('Not known: product costs of 1 of 3 orders, the tax of all 3 orders').waitFor();
    await page.getByRole('heading', { name: 'Earnings, at most' }).waitFor();
    const cells = page.locator('.checks > li');
    expect(await cells.nth(0).innerText())
      .to.contain('Product costs missing')
      .and.contain('1 of 3 orders');
    expect(await cells.nth(0).innerText()).to.contain('£1,234.50 of revenue');
    expect(await cells.nth(2).innerText())
      .to.contain('Tax not told')
      .and.contain('all 3 orders');
    await showPreset(page, 'Today');
    await two(page).waitFor();
    expect(await cells.nth(0).innerText())
      .to.contain('Product costs known')
      .and.contain('all 2 orders');
  });

  it('tells no per cent of a loss or of nothing, but the difference', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const loss = [{ line_id: '1', quantity: '1', unit_price: '10', unit_cost: '110' }];
    const lines = [{ line_id: '1', quantity: '1', unit_price: '160', unit_cost: '110' }];
    await shop.call('POST', '/v1/orders', {
      orders: [
        order('1', { placed_at: `${dayBefore(1)}T00:00:00Z`, total: '10', line_items: loss, gateway_fee: '0' }),
        order('2', { total: '160', line_items: lines }),
      ],
    });
    await service().settled();
    const { page } = await open(`/shop/${shop.id}?range=today`);
    const change = page.locator('.change-line');
    await change.getByText('than').waitFor();
    expect(await change.innerText()).to.match(/^\+£131\.93 than /);
    await page
      .locator('.statement tr', { hasText: 'Revenue' })
      .first()
      .locator('.change')
      .getByText('+£150.00')
      .waitFor();
    expect(await page.locator('.ratios > div').first().innerText()).to.match(/^Orders\s+1\s+was 1$/);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.statement tr', { hasText: 'Revenue' }).first().locator('.sub').getByText('+£150.00').waitFor();
  });

  it('names the spend in another currency that is left out, with its amount', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const rows = [{ channel: 'Radio', event_date: today(), currency: 'EUR', spend: '12.5' }];
    await shop.call('POST', '/v1/orders', { orders: [order('1')] });
    await shop.call('POST', '/v1/costs/spend', { rows });
    await service().settled();
    const { page } = await open(`/shop/${shop.id}?range=today`);
    await page.getByText('Radio: €12.50 of spend in other currencies is left out').waitFor();
  });

  it('never breaks or cuts an amount on a phone, however long', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const price = '99999999999999.99';
    const refund = { refund_id: 'r', refunded_at: `${today()}T00:00:00Z`, total: '199999999999999.99' };
    const lines = [{ line_id: '1', quantity: '1', unit_price: price }];
    await shop.call('POST', '/v1/orders', {
      orders: [order('1', { total: price, line_items: lines, refunds: [refund] })],
    });
    await expense(shop, { amount: price });
    await service().settled();
    const { page } = await open(`/shop/${shop.id}`, { viewport: { width: 360, height: 740 }, isMobile: true });
    await value(page, 'orders').waitFor();
    expect(await loud(page).innerText()).to.match(/^−£200,000,000,000,018\.06$/);
    const broken = await page.evaluate<string[]>(`[...document.querySelectorAll('.amount')].filter((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
      const { left, right } = one.closest('.panel').getBoundingClientRect();
      const text = range.getBoundingClientRect();
      return text.width > 0 && (lines.size > 2 || text.height > 60 || text.left < left || text.right > right);
    }).map((one) => one.textContent)`);
    expect(broken).to.deep.equal([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(360);
  });

  it('draws a bar a day, each a link to that day, one tab stop for all', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/shop/${shop.id}`);
    const bars = page.locator('.plot a');
    await bars.nth(29).waitFor();
    expect(await bars.count()).to.equal(30);
    const { body } = await shop.call('GET', `/v1/metrics/daily?from=${dayBefore(29)}&to=${today()}&include=statement`);
    const days = body.days as { date: string; statement: { earnings: string } }[];
    const shown = await bars.evaluateAll((all) => all.map((one) => one.getAttribute('data-day')));
    expect(shown).to.deep.equal(days.map(({ date }) => date));
    expect(await bars.last().getAttribute('aria-label')).to.contain('earnings £1,512.255');
    expect(days.at(-1)?.statement.earnings).to.equal('1512.255');
    expect(await page.locator('.plot a[tabindex="0"]').count()).to.equal(1);
    await page.locator('.plot a[tabindex="0"]').focus();
    await page.keyboard.press('End');
    expect(await page.evaluate('document.activeElement.dataset.day')).to.equal(today());
    await page.locator('.tip', { hasText: '£1,512.255' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.tip').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate('document.activeElement.dataset.day')).to.equal(dayBefore(1));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('from') === today() && url.searchParams.get('to') === today());
    await two(page).waitFor();
    await page.goBack();
    await bars.nth(29).waitFor();
  });

  it('draws weeks where the days are many', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/shop/${shop.id}?range=366d`);
    await page.getByRole('heading', { name: 'Earnings by week' }).waitFor();
    await page.locator('.plot a').nth(50).waitFor();
    expect(await page.locator('.plot a').count()).to.be.within(52, 54);
  });

  it('keeps all other figures when one read fails, and reads that one again on a press', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/shop/${shop.id}`);
    await two(page).waitFor();
    await page.locator('.plot a').first().waitFor();
    for (const path of ['**/v1/metrics?**', '**/v1/metrics/daily?**']) {
      await page.route(path, (route) => route.abort());
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await page.getByText('The service can’t be reached.').first().waitFor();
      expect(await value(page, 'orders').getAttribute('value'), path).to.equal('2');
      expect(await loud(page).getAttribute('value'), path).to.equal('1512.255');
      expect(await page.locator('.plot a').count(), path).to.equal(30);
      await page.unroute(path);
      await page.evaluate(`document.querySelectorAll('.stopped button').forEach((button) => button.click())`);
      await page.locator('.stopped').first().waitFor({ state: 'detached' });
    }
  });

  it('says once since when the store is away, keeps the last figures, and comes back by itself', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/shop/${shop.id}`);
    await two(page).waitFor();
    await quiet(page);
    const json = { errors: [{ code: 'store_unavailable', message: 'The warehouse is out of reach.' }] };
    await page.route('**/v1/**', (route) => route.fulfill({ status: 503, json }));
    const look = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await look();
    await quiet(page);
    const bar = page.locator('.stopped:visible');
    await bar.filter({ hasText: /These are the figures of .*\d\d:\d\d\..*new orders are still taken/ }).waitFor();
    expect(await bar.count()).to.equal(1);
    expect(await page.locator('.trouble:visible').count()).to.equal(0);
    expect(await loud(page).getAttribute('value')).to.equal('1512.255');
    expect(await page.locator('.plot a').count()).to.equal(30);
    expect(await audit(page)).to.deep.equal([]);
    await page.unroute('**/v1/**');
    await look();
    await page.locator('.stopped').first().waitFor({ state: 'detached' });
    expect(await loud(page).getAttribute('value')).to.equal('1512.255');
  });

  it('shows no figures of other days where those of the chosen ones can’t be read', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/shop/${shop.id}`);
    await two(page).waitFor();
    await page.route('**/v1/metrics?**', (route) => route.abort());
    await showPreset(page, 'Yesterday');
    await page.getByText('No figures until then.').waitFor();
    expect(await value(page, 'orders').count()).to.equal(0);
    expect(await page.locator('.statement data').count()).to.equal(0);
  });
});
