import { expect } from 'chai';
import { attributedShop, iso, MINUTE } from '../support/attributed-shop.js';
import type { Shop } from '../support/service.js';
import { today, useApp } from './support/app.js';

describe('the page of profit by campaign', () => {
  const { service, open } = useApp();

  async function shopWithCampaigns(): Promise<Shop> {
    const { shop, collect, pushOrder } = await attributedShop(service(), { currency: 'EUR', timezone: 'UTC' });
    const placed_at = `${today()}T00:00:00Z`;
    const at = Date.parse(placed_at);
    const orders = [
      ['1001', 'Summer Sale', '100.005'],
      ['1002', 'summer sale', '60.00'],
      ['1003', 'Winter', '30.00'],
    ] as const;
    for (const [id, campaign, total] of orders) {
      const view = {
        type: 'page_view',
        url: `https://shop.example.com/?utm_source=facebook&utm_medium=cpc&utm_campaign=${campaign}`,
        ts: iso(at - 60 * MINUTE),
      };
      const purchase = { type: 'purchase', order_id: id, ts: iso(at) };
      await collect(...[view, purchase].map((event) => ({ ...event, anon_id: id })));
      const cost = { line_id: '1', quantity: '1', unit_price: total, unit_cost: id === '1003' ? '45' : '20' };
      await pushOrder({ order_id: id, placed_at, total, line_items: [cost], gateway_fee: '1' });
    }
    await pushOrder({ order_id: '1004', placed_at, total: '20.00', gateway_fee: '1' });
    await service().settled();
    return shop;
  }

  for (const width of [1440, 390])
    it(`says what /v1/breakdown says, the losses first where asked; a row opens its orders, ${width} pixels wide`, async () => {
      const shop = await shopWithCampaigns();
      const days = `from=${today()}&to=${today()}`;
      const { body } = await shop.call('GET', `/v1/breakdown?by=campaign&${days}&sort=profit&order=asc`);
      expect(body.rows[0]).to.include({ key: 'winter', profit: '-16.00' });
      const { page, faults } = await open(`/shop/${shop.id}/orders?${days}`, { viewport: { width, height: 900 } });
      await page.getByRole('link', { name: 'Profit by …' }).click();
      await page.getByRole('link', { name: 'Campaign', exact: true }).click();
      const table = page.getByRole('region', { name: 'Profit, table' });
      await table.getByRole('columnheader', { name: 'Campaign' }).waitFor();
      await page.getByRole('link', { name: 'Profit before ads' }).click();
      await page.waitForURL(/sort=profit/);
      await page.getByRole('link', { name: 'Profit before ads' }).click();
      await page.waitForURL(/order=asc/);
      await table.locator('tbody tr').nth(1).getByText('Winter').waitFor();
      expect(
        await table
          .locator('tbody tr td:last-child data')
          .evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
      ).to.deep.equal([body.totals.profit, ...body.rows.map((row: { profit: string }) => row.profit)]);
      const names = await table.locator('tbody th').allInnerTexts();
      expect(names.map((name) => name.split('\n')[0])).to.deep.equal(['All orders', 'Winter', 'None', 'summer sale']);
      await table.getByRole('link', { name: 'summer sale' }).click();
      await page.getByText('2 orders', { exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get('campaign')).to.equal('summer sale');
      const listed = await page.locator('.list-table tbody').getByRole('link').allInnerTexts();
      expect(listed.filter((text) => /^\d+$/.test(text))).to.have.members(['1001', '1002']);
      await page.getByRole('link', { name: 'summer sale', exact: true }).click();
      await page.waitForURL((url) => !url.searchParams.has('campaign'));
      expect(faults).to.deep.equal([]);
    });
});
