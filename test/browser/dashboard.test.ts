import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Shop } from '../support/service.js';
import { order, rent, today, useApp } from './support/app.js';

/** A page that nothing befalls by the time that goes by: it refreshes nothing, and no pause in typing is long enough. */
const TIMELESS = `window.setInterval = () => 0;
  const later = window.setTimeout;
  window.setTimeout = (run, ms = 0, ...args) => (ms < 500 ? later(run, ms, ...args) : 0);`;

const dayBefore = (days: number): string =>
  new Date(Date.parse(today()) - days * 86_400_000).toISOString().slice(0, 10);

describe('the dashboard in a browser', () => {
  const { service, open, sellingShop } = useApp();

  const value = (page: Page, name: string) => page.locator(`data[data-metric=${name}]`);
  const expense = (shop: Shop, fields: Record<string, unknown> = {}) =>
    shop.call('POST', '/v1/costs/expenses', rent(fields));

  it('shows what is earned, and how it comes about', async () => {
    const shop = await sellingShop();
    await expense(shop);
    const { page, faults } = await open(`/?shop=${shop.id}`);
    // 2469.00 - 200.005 - 720.60 - 36.14
    await value(page, 'net_profit').and(page.locator('[value="1512.255"]')).waitFor();
    expect(await value(page, 'earnings').innerText()).to.equal('£812.26');
    expect(await value(page, 'operating_expenses').innerText()).to.equal('£700.00');
    const lines = await page.locator('.statement tbody tr').allInnerTexts();
    expect(
      lines.slice(-5).map((text) =>
        text
          .split('\t')
          .map((cell) => cell.trim())
          .slice(0, 2),
      ),
    ).to.deep.equal([
      ['Net profit', '£1,512.255'],
      ['Taxes passed on', '£0.00'],
      ['Packing and shipping', '£0.00'],
      ['Expenses', '−£700.00'],
      ['Earnings', '£812.255'],
    ]);
    await page.getByText('Show the days as a table').click();
    expect(await page.locator('.as-table tbody tr').first().locator('td').last().innerText()).to.equal('£812.26');
    expect(await page.getByText('No operating expenses are known').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
  });

  it('says where no expenses are known, and leads to where they are added', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/?shop=${shop.id}`);
    await page.getByText('No operating expenses are known for these days.').waitFor();
    await page.getByRole('link', { name: 'Add expenses' }).click();
    await page.getByRole('button', { name: 'Add expense' }).waitFor();
  });

  it('says on the profit what has no cost, and how complete the costs of these very days are', async () => {
    const shop = await sellingShop();
    const line = { line_id: '1', quantity: '3', unit_price: '411.50' };
    await shop.call('POST', '/v1/orders', {
      orders: [order('3', { placed_at: `${dayBefore(1)}T00:00:00Z`, line_items: [line], gateway_fee: undefined })],
    });
    await service().settled();
    const { page } = await open(`/?shop=${shop.id}`);
    const profit = page.locator('.card', { has: value(page, 'net_profit') });
    await profit.getByText('£1,234.50 of revenue is from orders with an unknown product cost.').waitFor();
    const shares = page.locator('.coverage strong');
    expect(await shares.allInnerTexts()).to.deep.equal(['66.67 %', '66.67 %', '0 %']);
    await page.getByLabel('Period').selectOption('today');
    await value(page, 'orders').and(page.locator('[value="2"]')).waitFor();
    expect(await shares.allInnerTexts()).to.deep.equal(['100 %', '100 %', '0 %']);
    expect(await profit.getByText('unknown product cost').count()).to.equal(0);
  });

  it('covers no number of a card, whatever is pointed at or opened', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/?shop=${shop.id}`);
    await value(page, 'blended_roas').waitFor();
    const covered = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('data[data-metric]')].filter((one) => {
        one.scrollIntoView({ block: 'center' });
        const { left, top, width, height } = one.getBoundingClientRect();
        return document.elementFromPoint(left + Math.min(10, width / 2), top + height / 2) !== one;
      }).map((one) => one.dataset.metric)`);
    for (const card of await page.locator('.card').all()) {
      await card.hover();
      expect(await covered()).to.deep.equal([]);
      await card.getByRole('button').hover();
      expect(await covered()).to.deep.equal([]);
    }
    for (const about of await page.getByRole('button', { name: /^About / }).all()) await about.click();
    expect(await page.locator('.explanation:visible').count()).to.equal(13);
    expect(await covered()).to.deep.equal([]);
  });

  it('tells no per cent of a loss or of nothing, but the difference', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const loss = [{ line_id: '1', quantity: '1', unit_price: '10', unit_cost: '110' }];
    await shop.call('POST', '/v1/orders', {
      orders: [
        order('1', { placed_at: `${dayBefore(1)}T00:00:00Z`, total: '10', line_items: loss, gateway_fee: '0' }),
        order('2', {
          total: '160',
          line_items: [{ line_id: '1', quantity: '1', unit_price: '160', unit_cost: '110' }],
        }),
      ],
    });
    await service().settled();
    const { page } = await open(`/?shop=${shop.id}&range=today`);
    const change = (name: string) =>
      page
        .locator('.card', { has: value(page, name) })
        .locator('.change')
        .first();
    await change('net_profit').getByText('before').waitFor();
    expect(await change('net_profit').innerText()).to.equal('+£131.93 before: -£100.00');
    expect(await change('revenue').innerText()).to.equal('+1,500% before: £10.00');
    expect(await change('gateway_fees').innerText()).to.equal('+£18.07 before: £0.00');
    expect(await change('orders').innerText()).to.equal('0% before: 1');
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
    const { page } = await open(`/?shop=${shop.id}`, { viewport: { width: 360, height: 740 }, isMobile: true });
    await value(page, 'net_profit').waitFor();
    await page.locator('.statement').waitFor();
    expect(await value(page, 'net_profit').innerText()).to.match(/^-£100,000,000,000,018\.07$/);
    const broken = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('.amount, .value, td.number:not(.change)')].filter((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
      const box = one.closest('.card, .panel, .scroll');
      const { left, right } = box.getBoundingClientRect();
      const text = range.getBoundingClientRect();
      return lines.size > 1 || (!one.closest('.scroll') && (text.left < left || text.right > right));
    }).map((one) => one.textContent)`);
    expect(broken).to.deep.equal([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(360);
  });

  it('reads nothing while days are typed, and what was typed at the end', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/?shop=${shop.id}`);
    await page.addInitScript({ content: TIMELESS });
    await page.reload();
    await value(page, 'orders').and(page.locator('[value="2"]')).waitFor();
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).search));
    const from = page.getByLabel('From', { exact: true });
    const [year = '', month = '', day = ''] = dayBefore(40).split('-');
    await from.focus();
    await page.keyboard.type(month + day + year, { delay: 40 });
    expect(await from.inputValue()).to.equal(dayBefore(40));
    expect(asked.filter((query) => query.includes('from='))).to.deep.equal([]);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('from') === dayBefore(40));
    await value(page, 'orders').and(page.locator('[value="2"]')).waitFor();
    const days = asked
      .filter((query) => query.includes('from='))
      .map((query) => new URLSearchParams(query).get('from'));
    expect(days.filter((first) => first !== dayBefore(40) && first !== dayBefore(81))).to.deep.equal([]);
    expect(days).to.include(dayBefore(40));
  });

  it('takes typed days after a pause or when the field is left, and says which it can’t show', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/?shop=${shop.id}`);
    const from = page.getByLabel('From', { exact: true });
    await from.fill(dayBefore(3));
    await page.waitForURL((url) => url.searchParams.get('from') === dayBefore(3));
    await from.fill('0010-01-01');
    await page.getByLabel('To', { exact: true }).focus();
    await page.getByText(/^Days from 1 Jan 1970 to today .* can be shown\.$/).waitFor();
    expect(new URL(page.url()).searchParams.get('from')).to.equal(dayBefore(3));
    await from.fill(dayBefore(500));
    await from.press('Enter');
    await page.getByText('At most 366 days fit into one view.').waitFor();
    await from.fill('');
    await from.blur();
    expect(await from.inputValue()).to.equal(dayBefore(3));
    expect(await page.getByText('At most 366 days').count()).to.equal(0);
  });

  for (const days of ['from=0010-01-01&to=0010-01-02', 'from=2026-02-30&to=2026-03-01', 'from=x', 'to=9999-12-31']) {
    it(`says that it can’t show the days of ${days}`, async () => {
      const shop = await sellingShop();
      const { page, faults } = await open(`/?shop=${shop.id}&${days}`);
      await page.getByText('The days in the address can’t be shown.').waitFor();
      await value(page, 'orders').and(page.locator('[value="2"]')).waitFor();
      expect(faults).to.deep.equal([]);
    });
  }

  it('keeps all other figures when one read fails, and reads that one again on a press', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/?shop=${shop.id}`);
    await value(page, 'orders').and(page.locator('[value="2"]')).waitFor();
    await page.locator('.chart canvas').waitFor();
    const failing = [
      { path: '**/v1/metrics?**', rest: 'Day by day' },
      { path: '**/v1/metrics/daily?**', rest: 'Statement' },
      { path: '**/v1/metrics/definitions', rest: 'Day by day' },
      { path: '**/v1/connections', rest: 'Statement' },
    ];
    for (const { path, rest } of failing) {
      await page.route(path, (route) => route.abort());
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText('The service can’t be reached.').first().waitFor();
      expect(await value(page, 'orders').getAttribute('value'), path).to.equal('2');
      expect(await page.locator('.chart canvas').count(), path).to.equal(1);
      expect(await page.getByRole('heading', { name: rest }).count(), path).to.equal(1);
      await page.unroute(path);
      await page.evaluate(`document.querySelectorAll('.trouble button').forEach((button) => button.click())`);
      await page.locator('.trouble').first().waitFor({ state: 'detached' });
    }
  });

  it('shows no figures of other days where those of the chosen ones can’t be read', async () => {
    const shop = await sellingShop();
    const { page } = await open(`/?shop=${shop.id}`);
    await value(page, 'orders').and(page.locator('[value="2"]')).waitFor();
    await page.route('**/v1/metrics?**', (route) => route.abort());
    await page.getByLabel('Period').selectOption('yesterday');
    await page.getByText('No figures until then.').waitFor();
    expect(await value(page, 'orders').count()).to.equal(0);
    await page.locator('.chart canvas').waitFor();
  });
});
