import { expect } from 'chai';
import { attributedShop, iso, MINUTE, type AttributedShop } from '../../support/attributed-shop.js';
import { useService, type Shop } from '../../support/service.js';

describe('the campaign of an order', () => {
  const service = useService();
  let shop: Shop;
  let collect: AttributedShop['collect'];
  let pushOrder: AttributedShop['pushOrder'];

  beforeEach(async () => {
    ({ shop, collect, pushOrder } = await attributedShop(service));
  });

  const view = (ago: number, query: string) => ({
    type: 'page_view',
    ts: iso(Date.now() - ago * MINUTE),
    url: `https://shop.example.com/?${query}`,
  });
  const purchase = { type: 'purchase', order_id: '1001', ts: iso(Date.now() - MINUTE) };
  const META = 'utm_source=facebook&utm_medium=cpc';

  const stored = (table: 'order_attribution' | 'order_facts') =>
    service.stores.warehouse.query(
      `SELECT toString(last_campaign) AS last, toString(first_campaign) AS first,
         arrayMap((c, n) -> concat(c, ' ', toString(n)), linear.campaign, linear.touches) AS linear
       FROM ${table} FINAL WHERE shop_id = {shop:String}`,
      { shop: shop.id },
    );

  it('is kept by model with its credit, and stays when the events are gone', async () => {
    await collect(
      view(600, `${META}&utm_campaign=Summer+Sale`),
      view(400, 'gclid=abc&gad_campaignid=21234567890'),
      view(200, `${META}&utm_campaign=%7B%7Bcampaign.name%7D%7D&utm_id=120212345678901234`),
      view(100, `${META}&utm_campaign=Summer+Sale`),
      purchase,
    );
    await pushOrder({});
    await service.settled();
    const wanted = [
      {
        last: 'Summer Sale',
        first: 'Summer Sale',
        linear: ['21234567890 1', '120212345678901234 1', 'Summer Sale 2'],
      },
    ];
    expect(await stored('order_attribution')).to.deep.equal(wanted);
    expect(await stored('order_facts')).to.deep.equal(wanted);

    for (const table of ['events', 'visitor_events', 'event_links'])
      await service.stores.warehouse.command(
        `ALTER TABLE ${table} DELETE WHERE shop_id = '${shop.id}' SETTINGS mutations_sync = 2`,
      );
    await pushOrder({ updated_at: iso(Date.now() + 1), total: '90.00' });
    await service.settled();
    expect(await stored('order_attribution')).to.deep.equal(wanted);
    expect(await stored('order_facts')).to.deep.equal(wanted);
  });

  it('is none where a visit names no campaign, and never what holds personal data', async () => {
    await collect(view(600, `${META}&utm_campaign=jane%40example.com`), view(30, 'gclid=abc'), purchase);
    await pushOrder({});
    await service.settled();
    expect(await stored('order_attribution')).to.deep.equal([{ last: '', first: '', linear: [' 1', ' 1'] }]);
  });
});
