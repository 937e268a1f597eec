import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { order, useApp } from './support/app.js';

describe('channels on the dashboard', () => {
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

    const { page, faults } = await open(`/?shop=${shop.id}&range=30d`);
    const table = page.getByRole('region', { name: 'Channels, table' });
    await table.getByRole('columnheader', { name: 'Proved' }).waitFor();
    const row = table.getByRole('row', { name: /^google_ads/ });
    expect((await row.getByRole('cell').allInnerTexts()).slice(0, 3)).to.deep.equal(['2', '£2,469.00', '£1,234.50']);
    expect(faults).to.deep.equal([]);
  });
});
