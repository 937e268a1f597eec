import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { until } from '../embedded/processes.js';
import { become, becomeVisitor, order, useApp } from './support/app.js';

const PLACED = '2026-03-02T10:00:00Z';
const RANGE = 'from=2026-03-01&to=2026-03-31';

const valuesOf = (amounts: Locator) => amounts.evaluateAll((all) => all.map((one) => one.getAttribute('value')));

describe('what changed, in a browser', () => {
  const { service, open } = useApp();

  it('lists each cause with what it did to the figures of past days, as the API tells it', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const line_items = [{ line_id: '1', sku: 'MUG', quantity: '3', unit_price: '411.50' }];
    await shop.call('POST', '/v1/orders', { orders: [order('1', { placed_at: PLACED, line_items })] });
    await service().settled();
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '2.5001' }] });
    await service().settled();
    const causes = async () =>
      (await shop.call('GET', `/v1/restatements?${RANGE}&group=cause`)).body.causes as { kind: string }[];
    await until('both causes are listed', async () => (await causes()).length === 2);
    expect((await causes()).map(({ kind }) => kind)).to.deep.equal(['unit_cost', 'late_order']);

    const { page, faults } = await open(`/shop/${shop.id}/changes?${RANGE}`);
    const entries = page.locator('.causes > li');
    await entries.nth(1).waitFor();
    expect(await entries.nth(0).innerText())
      .to.contain('1 unit cost was changed')
      .and.contain('MUG')
      .and.contain('−£7.5003');
    expect(await entries.nth(1).innerText())
      .to.contain('1 order of a past day arrived')
      .and.contain('+£1,216.43');
    const byDay = (await shop.call('GET', `/v1/restatements?${RANGE}&group=cause&figure=earnings`)).body.causes as {
      by_day: { date: string; before: string; after: string }[];
    }[];
    const day = entries.nth(0).locator('[data-day]');
    expect(await valuesOf(day.locator('td data'))).to.deep.equal([
      byDay[0]?.by_day[0]?.before,
      byDay[0]?.by_day[0]?.after,
      '-7.5003',
    ]);
    await page.getByRole('link', { name: 'All figures' }).click();
    const changed = entries.nth(0).locator('[data-changed=cogs] data');
    await changed.first().waitFor();
    expect(await valuesOf(changed)).to.deep.equal(['0.00', '7.5003', '7.5003']);
    const loading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    const lines = (await readFile(await (await loading).path(), 'utf8')).trim().split('\r\n');
    const { restatements } = (await shop.call('GET', `/v1/restatements?${RANGE}`)).body as { restatements: unknown[] };
    expect(lines).to.have.length(1 + restatements.length);
    expect(lines.filter((line) => line.includes(',cogs,') && line.includes('7.5003'))).to.have.length(1);
    expect(faults).to.deep.equal([]);
  });

  it('sums up what changed since the visit before, and leads to the figures of then', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const line_items = [{ line_id: '1', sku: 'MUG', quantity: '3', unit_price: '411.50' }];
    await shop.call('POST', '/v1/orders', { orders: [order('1', { placed_at: PLACED, line_items })] });
    await service().settled();
    const list = async (query: string) =>
      (await shop.call('GET', `/v1/restatements?${RANGE}&group=cause${query}`)).body.causes as unknown[];
    await until('the order is listed', async () => (await list('')).length === 1);
    const visit = new Date();
    const earnings = async (query = '') => {
      const { body } = await shop.call('GET', `/v1/metrics?${RANGE}&include=statement${query}`);
      return (body.statement as { earnings: string }).earnings;
    };
    const { page, faults } = await open(`/shop/${shop.id}/changes?${RANGE}`);
    await page.locator('.causes > li').first().waitFor();
    expect(await page.getByText('Since your last visit').count()).to.equal(0);

    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '2.5001' }] });
    await service().settled();
    await until('the cost is listed', async () => (await list('')).length === 2);
    const path = new URL(page.url());
    const reader = await becomeVisitor(page, service(), shop.id, visit.getTime());
    await page.goto(path.href);
    const head = page.getByRole('region', { name: 'Since your last visit' });
    await head.getByText('changed, in 1 step').waitFor();
    expect(await head.innerText()).to.contain('1 past day');
    expect(await page.getByRole('navigation', { name: 'Main' }).innerText()).to.match(/What changed\s*1\s*new/);
    // Another browser of the same person was not there, but the person was; the operator is no person.
    const other = await open(`/shop/${shop.id}/changes?${RANGE}`);
    await other.page.locator('.causes > li').first().waitFor();
    expect(await other.page.getByText('You were here').count()).to.equal(0);
    await become(other.page, service(), reader);
    await other.page.goto(path.href);
    await other.page.getByText('You were here on').waitFor();
    const same = other.page.getByRole('region', { name: 'Since your last visit' });
    await same.getByText('changed, in 1 step').waitFor();
    expect(await same.innerText()).to.equal(await head.innerText());
    const asOf = `&as_of=${encodeURIComponent(visit.toISOString())}`;
    const [then, now] = [await earnings(asOf), await earnings()];
    expect([then, now, ...(await valuesOf(head.locator('.loud data')))]).to.deep.equal([
      '1216.43',
      '1208.9297',
      '-7.5003',
    ]);
    expect(await page.locator('.causes > li').allInnerTexts()).to.satisfy(
      ([cost = '', here = '', late = '']: string[]) =>
        cost.startsWith('1 unit cost') && here.startsWith('You were here on ') && late.startsWith('1 order'),
    );
    await head.getByRole('link', { name: /^show the figures of/ }).click();
    await page.getByText('These are the figures as they were on').waitFor();
    await page.locator(`[data-figure=earnings] data[value="${then}"]`).waitFor();
    await page.getByRole('link', { name: 'Show those of now' }).click();
    await page.locator(`[data-figure=earnings] data[value="${now}"]`).waitFor();
    const checks = page.getByRole('region', { name: 'Is it complete?' });
    await checks.getByText('1 past day changed').waitFor();
    await checks.getByRole('link', { name: 'See why' }).click();
    await head.getByText('changed, in 1 step').waitFor();
    expect(faults).to.deep.equal([]);
  });

  it('says where nothing has changed', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const { page } = await open(`/shop/${shop.id}/changes?${RANGE}`);
    await page.getByText('No figure of these days has changed').waitFor();
  });
});
