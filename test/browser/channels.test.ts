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
    expect((await row.getByRole('cell').allInnerTexts()).slice(0, 5)).to.deep.equal([
      '2',
      '£1,234.50',
      '£1,234.50',
      '£0.00',
      '£2,469.00',
    ]);
    const from = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10);
    const { body } = await shop.call('GET', `/v1/attribution?from=${from}&to=${today()}`);
    const channels = body.channels as { channel: string; profit: string; roas: string | null }[];
    const profits = await table
      .locator('tbody tr td:nth-of-type(7) data')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(profits).to.deep.equal(channels.map(({ profit }) => profit));
    expect(faults).to.deep.equal([]);
  });
});
