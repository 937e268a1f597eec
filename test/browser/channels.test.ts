import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { order, today, useApp } from './support/app.js';

describe('channels in a browser', () => {
  const { service, open, sellingShop } = useApp();

  it('show beside the revenue what part of it is proved', async () => {
    const shop = await sellingShop();
    const token = await service().key(shop.id, 'pixel');
    // Only events that arrive about when the order was placed prove anything.
    const ts = new Date().toISOString();
    const orders = [order('3', { placed_at: ts }), order('4', { placed_at: ts })];
    expect((await shop.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(2);
    const events = [
      ['3', '?gclid=1'],
      ['4', '?utm_source=google&utm_medium=cpc'],
    ].flatMap(([order_id = '', query = '']) => {
      const common = { anon_id: `visitor ${order_id}`, consent: 'analytics', ts };
      return [
        { ...common, event_id: randomUUID(), type: 'page_view', url: `https://shop.example.com/${query}` },
        { ...common, event_id: randomUUID(), type: 'purchase', order_id },
      ];
    });
    expect((await service().call('POST', '/v1/collect', { key: token, body: { events } })).status).to.equal(204);
    await service().settled();

    const { page, faults } = await open(`/shop/${shop.id}/channels`);
    const table = page.getByRole('region', { name: 'Channels, table' });
    await table.getByRole('columnheader', { name: 'Proved' }).waitFor();
    const row = table.getByRole('row', { name: /^Google Ads/ });
    expect((await row.getByRole('cell').allInnerTexts()).slice(0, 6)).to.deep.equal([
      '2',
      '',
      '£1,234.50',
      '£1,234.50',
      '–',
      '£2,469.00',
    ]);
    expect(await row.getByRole('img').getAttribute('aria-label')).to.equal('50.0% proved, 50.0% claimed');
    const from = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10);
    const { body } = await shop.call('GET', `/v1/attribution?from=${from}&to=${today()}`);
    const channels = body.channels as { channel: string; profit: string; roas: string | null }[];
    const profits = () =>
      table.locator('td.result > data').evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    const { body: whole } = await shop.call('GET', `/v1/metrics?from=${from}&to=${today()}`);
    expect(await profits()).to.deep.equal([whole.net_profit, ...channels.map(({ profit }) => profit)]);
    await table.getByRole('link', { name: 'Profit after ads' }).click();
    await table
      .getByRole('columnheader', { name: 'Profit after ads' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    await table.getByRole('link', { name: 'Profit after ads' }).click();
    const smallest = channels.map(({ profit }) => profit).sort((a, b) => Number(a) - Number(b));
    await page.waitForURL((url) => url.search.includes('sort=profit&order=asc'));
    await table.locator('[aria-sort=ascending]').waitFor();
    expect(await profits()).to.deep.equal([whole.net_profit, ...smallest]);
    expect(faults).to.deep.equal([]);
  });

  it('call a profit "at most" where costs or spend in another currency are missing, also in a list on a phone', async () => {
    const shop = await service().shop({ currency: 'GBP', timezone: 'UTC' });
    const line_items = [{ line_id: '1', sku: 'MUG', quantity: '3', unit_price: '411.50' }];
    const orders = [order('1', { line_items }), order('2')];
    expect((await shop.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(2);
    const rows = [{ channel: 'Meta Ads', event_date: today(), currency: 'USD', spend: '30.125' }];
    expect((await shop.call('POST', '/v1/costs/spend', { rows })).body.accepted).to.equal(1);
    await service().settled();
    for (const width of [1440, 390]) {
      const { page, faults } = await open(`/shop/${shop.id}/channels`, { viewport: { width, height: 844 } });
      const unseen = page.getByRole('row', { name: /^No visit seen/ });
      await unseen.waitFor();
      expect(await unseen.innerText())
        .to.contain('no pixel that day')
        .and.contain('at most ');
      expect(await page.locator('.notice').innerText()).to.contain('Meta Ads: US$30.125 of spend in other currencies');
      await page.getByText('Product costs of 1 of 2 orders are missing').waitFor();
      const price = page.getByRole('link', { name: 'Price 1 product' });
      expect(await price.getAttribute('href')).to.equal(`/shop/${shop.id}/products?missing_cost=1`);
      const box = await unseen.locator('td.result').boundingBox();
      expect((box?.x ?? NaN) + (box?.width ?? NaN), `${width}`).to.be.at.most(width);
      expect(faults).to.deep.equal([]);
    }
  });
});
