import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Shop } from '../support/service.js';
import { order, rent, today, useApp } from './support/app.js';

const MICROS = 1_000_000n;
const micros = (decimal: string): bigint => {
  const [, sign = '', whole = '0', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const value = BigInt(whole) * MICROS + BigInt(rest.padEnd(6, '0'));
  return sign === '' ? value : -value;
};
const TAKEN = ['discounts', 'refunds', 'cogs', 'gateway_fees', 'ad_spend', 'taxes', 'fulfillment_costs'];
const OTHER = ['shipping', 'tips', 'duties', 'rounding_adjustment'];
const SUMS = ['revenue', 'net_revenue', 'net_profit', 'earnings'];

describe('the statement in a browser', () => {
  const { service, open } = useApp();

  async function shopWithAll(): Promise<Shop> {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    await shop.call('POST', '/v1/costs/expenses', rent());
    await shop.call('POST', '/v1/costs/spend', {
      rows: [{ channel: 'Poster', event_date: today(), currency: 'GBP', spend: '30.000001' }],
    });
    const lines = [
      { line_id: '1', quantity: '3', unit_price: '411.505', line_discount: '1.25', unit_cost: '120.100333' },
      { line_id: '2', quantity: '1', unit_price: '10', sku: 'UNPRICED' },
    ];
    const full = order('1', {
      line_items: lines,
      discounts: '2',
      shipping: '5.99',
      tips: '1.5',
      duties: '0.75',
      rounding_adjustment: '0.01',
      tax: '20.1',
      fulfillment_cost: '4.333333',
      total: '1269.615',
      refunds: [{ refund_id: 'r', refunded_at: `${today()}T00:00:00Z`, total: '200.005', tax_refund: '3.3' }],
    });
    const { body } = await shop.call('POST', '/v1/orders', { orders: [full] });
    expect(body.accepted, JSON.stringify(body)).to.equal(1);
    await service().settled();
    return shop;
  }

  const valuesOf = (page: Page, within: string): Promise<Record<string, string>> =>
    page
      .locator(`${within} .statement data[data-row]`)
      .evaluateAll((all) => Object.fromEntries(all.map((one) => [one.dataset.row, one.getAttribute('value') ?? ''])));

  for (const width of [1440, 390]) {
    it(`says what /v1/metrics says, to the last digit, and adds up, ${width} pixels wide`, async () => {
      const shop = await shopWithAll();
      const { page, faults } = await open(`/shop/${shop.id}?range=today`, { viewport: { width, height: 900 } });
      await page.locator('.hero .statement data').first().waitFor();
      const { body } = await shop.call('GET', `/v1/metrics?from=${today()}&to=${today()}&include=statement`);
      const figures: Record<string, string> = { ...body, ...body.statement };
      const { other, operating_expenses, ...lines } = await valuesOf(page, '.hero');
      await page.getByRole('link', { name: 'Shipping and other' }).click();
      await page.locator('.sheet .statement data').first().waitFor();
      const { other: sum, ...parts } = await valuesOf(page, '.sheet');
      expect(sum).to.equal(other);
      const shown = { ...lines, ...parts };
      expect(Object.keys(shown).sort()).to.deep.equal(['gross_sales', 'tax_added', ...TAKEN, ...OTHER, ...SUMS].sort());
      for (const [row, value] of Object.entries(shown)) {
        const figure = micros(figures[row] ?? '');
        expect(micros(value), row).to.equal(TAKEN.includes(row) ? -figure : figure);
      }
      expect(micros(operating_expenses ?? '')).to.equal(-micros(figures.operating_expenses ?? ''));
      expect(micros(other ?? '')).to.equal(OTHER.reduce((sum, row) => sum + micros(shown[row] ?? ''), 0n));
      const all = [...Object.entries(shown)].filter(([row]) => !OTHER.includes(row) && !SUMS.includes(row));
      const whole = all.reduce((height, [, value]) => height + micros(value), micros(other ?? ''));
      expect(whole + micros(operating_expenses ?? '')).to.equal(micros(figures.earnings ?? ''));
      // What is read off the screen is the exact amount too.
      for (const one of await page.locator('.statement tbody td.number:not(.change) data.amount').all()) {
        const text = (await one.innerText()).replace(/[£,]/g, '').replace('−', '-');
        expect(micros(text)).to.equal(micros((await one.getAttribute('value')) ?? ''));
      }
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(width);
      expect(faults).to.deep.equal([]);
    });
  }

  it('says beside the earnings that costs are not known, and nothing like it once they are', async () => {
    const shop = await shopWithAll();
    const { page } = await open(`/shop/${shop.id}?range=today`);
    const hero = page.locator('.hero');
    await hero.getByRole('heading', { name: 'Earnings, at most' }).waitFor();
    await hero.getByText('Not known: product costs of the one order.').waitFor();
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'UNPRICED', unit_cost: '4' }] });
    await service().settled();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await hero.getByText('All that it is made of is known.').waitFor();
    expect(await hero.getByText('at most').count()).to.equal(0);
  });

  it('opens what an amount is made of, and adds up its changes to that of the earnings', async () => {
    const shop = await shopWithAll();
    const yesterday = new Date(Date.parse(today()) - 86_400_000).toISOString().slice(0, 10);
    const earlier = { placed_at: `${yesterday}T00:00:00Z`, tax: '7', total: '1241.5', fulfillment_cost: '1' };
    expect((await shop.call('POST', '/v1/orders', { orders: [order('0', earlier)] })).body.accepted).to.equal(1);
    await service().settled();
    const { page } = await open(`/shop/${shop.id}?range=today`);
    await page.locator('.statement').getByRole('link', { name: 'Refunds' }).click();
    await page.getByRole('dialog', { name: 'Refunds' }).getByText('1 entry').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.hero .statement td.change data').last().waitFor();
    const changes = await page
      .locator('.hero .statement td.change data')
      .evaluateAll((all) => all.map((one) => [one.closest('tr')?.className ?? '', one.getAttribute('value') ?? '']));
    const total = changes
      .filter(([kind]) => kind === 'more' || kind === 'less')
      .reduce((sum, [, value]) => sum + micros(value ?? ''), 0n);
    expect(total).to.equal(micros(changes.at(-1)?.[1] ?? ''));
    expect(changes.at(-1)?.[0]).to.equal('last');
  });

  it('stands side by side by month, quarter and week: each amount is that of the API and opens what it is made of', async () => {
    const shop = await shopWithAll();
    const before = new Date(Date.now() - 40 * 86_400_000).toISOString();
    await shop.call('POST', '/v1/orders', { orders: [order('0', { placed_at: before })] });
    await service().settled();
    const { page, faults } = await open(`/shop/${shop.id}?range=today`);
    await page.getByRole('link', { name: 'Months side by side' }).click();
    for (const [by, label] of [
      ['month', 'Months'],
      ['quarter', 'Quarters'],
      ['week', 'Weeks'],
    ] as const) {
      await page.getByRole('link', { name: label, exact: true }).click();
      await page.waitForURL((url) => url.searchParams.get('columns') === by);
      const table = page.locator('.side-by-side');
      await table.waitFor();
      const csv = new URL((await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '', service().url);
      expect(csv.searchParams.get('by')).to.equal(by);
      const { body } = await shop.call('GET', `/v1/metrics/daily?${csv.searchParams.toString()}`);
      const columns = (body.days as { revenue: string; statement: { earnings: string } }[]).reverse();
      expect(columns.length).to.be.within(12, 13);
      const shown = (row: string): Promise<(string | null)[]> =>
        table.locator(`data[data-row=${row}]`).evaluateAll((all) => all.map((one) => one.getAttribute('value')));
      await table.locator(`data[data-row=revenue][value="${columns[0]?.revenue}"]`).first().waitFor();
      const revenues = await shown('revenue');
      expect(revenues, by).to.deep.equal(columns.slice(0, revenues.length).map(({ revenue }) => revenue));
      expect(await shown('earnings'), by).to.deep.equal(
        columns.slice(0, revenues.length).map(({ statement }) => statement.earnings),
      );
      expect(columns.slice(revenues.length).every(({ revenue }) => revenue === '0.00')).to.equal(true);
    }
    await page.getByRole('link', { name: 'Months', exact: true }).click();
    const last = page.locator('.side-by-side tr.last td').last().getByRole('link');
    const amount = await last.locator('data').getAttribute('value');
    await last.click();
    await page.locator('.sheet .statement data').first().waitFor();
    expect((await valuesOf(page, '.sheet')).earnings).to.equal(amount);
    expect(faults).to.deep.equal([]);
  });
});
