import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useApp } from './support/app.js';

describe('channels on the dashboard', () => {
  const { service, open, sellingShop } = useApp();

  it('show beside the revenue what part of it is proved', async () => {
    const shop = await sellingShop();
    const token = await service().key(shop.id, 'pixel');
    const ts = new Date(Date.now() - 86_400_000).toISOString();
    const events = [
      ['1', '?gclid=1'],
      ['2', '?utm_source=google&utm_medium=cpc'],
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
