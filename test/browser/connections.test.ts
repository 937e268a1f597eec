import { expect } from 'chai';
import { order, today, useApp } from './support/app.js';

describe('connections in a browser', () => {
  const { service, open } = useApp();

  it('say of each what came, what was refused or left out, and what there is to do', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    await shop.call('POST', '/v1/orders', { orders: [order('1'), order('2'), { order_id: 'refused' }] });
    const spend = ['GBP', 'USD'].map((currency) => ({
      channel: currency === 'GBP' ? 'Search ads' : 'Meta Ads',
      event_date: today(),
      currency,
      spend: '30',
    }));
    await shop.call('POST', '/v1/costs/spend', { rows: spend });
    await service().settled();
    const { page, faults } = await open(`/shop/${shop.id}/connections`);
    await page.locator('[data-connection]').first().waitFor();
    const rows = await page.locator('[data-connection]').all();
    const texts = await Promise.all(
      rows.map(async (row) => {
        const cells = (await row.locator('th, td').allInnerTexts()).map((text) => text.split('\n')[0]);
        return [...cells.slice(0, 2), ...cells.slice(3)].join(' | ');
      }),
    );
    expect(texts.map((text) => text.replace(/^Orders from \w+/, 'Orders from …'))).to.deep.equal([
      'Orders from … | Connected | 2 | 1 | See the 1 refused: orders',
      'Pixel | Not connected | 0 | – | Install it',
      'Meta ads | Left out | – | – | Push its spend in GBP',
      'Search ads | Connected | – | – | nothing',
      'Ad spend | Connected | 2 | – | nothing',
    ]);
    await page.getByRole('link', { name: 'See the 1 refused: orders' }).click();
    await page.getByText('missing_field').first().waitFor();
    expect(faults).to.deep.equal([]);
  });
});
