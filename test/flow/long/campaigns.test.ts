import { expect } from 'chai';
import { ATTRIBUTION_MODELS, type CampaignRow } from '../../../src/schemas/attribution.js';
import type { BreakdownRow } from '../../../src/schemas/breakdown.js';
import { attributedShop, day, iso, MINUTE, range, total, type AttributedShop } from '../../support/attributed-shop.js';
import { wireMicros } from '../../support/cost-reference.js';
import { download, readCsv } from '../../support/exported.js';
import { useService, type Shop } from '../../support/service.js';

describe('the campaign of an order', () => {
  const service = useService();
  let shop: Shop;
  let attribution: AttributedShop['attribution'];
  let collect: AttributedShop['collect'];
  let pushOrder: AttributedShop['pushOrder'];

  beforeEach(async () => {
    ({ shop, attribution, collect, pushOrder } = await attributedShop(service));
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

  it('is a row of its channel with the spend of its id or name; rows add up to the channels, and other shops stay apart', async () => {
    const [today, before] = [Date.now(), Date.now() - 1440 * MINUTE];
    await collect(
      view(3000, `${META}&utm_campaign=Summer+Sale`),
      view(400, 'gclid=abc&gad_campaignid=21234567890'),
      view(200, `${META}&utm_campaign=summer++sale`),
      purchase,
    );
    await collect({ ...view(50, 'gclid=b'), anon_id: 'other' }, { ...purchase, order_id: '1002', anon_id: 'other' });
    const refund = { refund_id: 'r', refunded_at: iso(today), total: '30.00' };
    const costed = { line_items: [{ line_id: '1', quantity: '1', unit_price: '100', unit_cost: '40' }] };
    await pushOrder({ gateway_fee: '2', refunds: [refund], ...costed });
    await pushOrder({ order_id: '1002', total: '20.00' });
    await pushOrder({ order_id: '1003', total: '5.00' });
    const spend = (channel: string, amount: string, fields: Record<string, unknown>) => ({
      channel,
      event_date: day(before),
      currency: 'EUR',
      spend: amount,
      ...fields,
    });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [
        spend('Facebook', '10', { campaign_id: '1', campaign_name: ' SUMMER Sale' }),
        spend('Facebook', '4', { campaign_id: '2', campaign_name: 'Winter' }),
        spend('Google Ads', '8', { campaign_id: '21234567890', campaign_name: 'Brand' }),
        spend('Google Ads', '1', {}),
        spend('Google Ads', '9', { campaign_id: '5', currency: 'USD' }),
      ],
    });
    await service.settled();
    const read = async (model: string) => {
      const { status, body } = await shop.call('GET', `/v1/attribution?${range()}&by=campaign&model=${model}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.by).to.equal('campaign');
      return body.channels as CampaignRow[];
    };
    const shown = (rows: CampaignRow[]) =>
      rows.map(
        ({
          channel,
          campaign,
          campaign_id: id,
          orders,
          revenue,
          refunds,
          cogs,
          gateway_fees: fees,
          ad_spend: ads,
          profit,
        }) => [channel, campaign, id, orders, revenue, refunds, cogs, fees, ads, profit].join(' | '),
      );
    expect(shown(await read('last_touch'))).to.deep.equal([
      'meta_ads | summer sale | 1 | 1 | 100.00 | 30.00 | 40.00 | 2.00 | 10.00 | 18.00',
      'google_ads |  |  | 1 | 20.00 | 0.00 | 0.00 | 0.00 | 1.00 | 19.00',
      'google_ads | Brand | 21234567890 | 0 | 0.00 | 0.00 | 0.00 | 0.00 | 8.00 | -8.00',
      'meta_ads | Winter | 2 | 0 | 0.00 | 0.00 | 0.00 | 0.00 | 4.00 | -4.00',
      'unattributed |  |  | 1 | 5.00 | 0.00 | 0.00 | 0.00 | 0.00 | 5.00',
    ]);
    expect(shown(await read('linear'))).to.deep.equal([
      'meta_ads | summer sale | 1 | 0.666667 | 66.666667 | 20.00 | 26.666667 | 1.333333 | 10.00 | 8.666667',
      'google_ads | Brand | 21234567890 | 0.333333 | 33.333333 | 10.00 | 13.333333 | 0.666667 | 8.00 | 1.333333',
      'google_ads |  |  | 1 | 20.00 | 0.00 | 0.00 | 0.00 | 1.00 | 19.00',
      'meta_ads | Winter | 2 | 0 | 0.00 | 0.00 | 0.00 | 0.00 | 4.00 | -4.00',
      'unattributed |  |  | 1 | 5.00 | 0.00 | 0.00 | 0.00 | 0.00 | 5.00',
    ]);
    for (const model of ATTRIBUTION_MODELS) {
      const rows = await read(model);
      for (const whole of await attribution(model)) {
        const own = rows.filter(({ channel }) => channel === whole.channel);
        for (const field of ['revenue', 'refunds', 'cogs', 'gateway_fees', 'ad_spend', 'profit'] as const)
          expect(total(own, field), `${model} ${whole.channel} ${field}`).to.equal(wireMicros(whole[field]));
      }
    }
    const path = `/v1/attribution?${range()}&by=campaign`;
    const table = readCsv(await download(service, path, shop.key, 'csv'));
    expect(table.map((row) => [row.channel, row.campaign, row.profit])).to.deep.equal(
      (await read('last_touch')).map((row) => [row.channel, row.campaign, row.profit]),
    );
    expect((await shop.call('GET', '/v1/attribution?by=ad')).body.errors[0]).to.include({
      code: 'invalid_value',
      field: 'by',
    });

    const other = await attributedShop(service);
    await other.pushOrder({});
    await service.settled();
    const { body } = await other.shop.call('GET', `/v1/attribution?${range()}&by=campaign`);
    expect(shown(body.channels)).to.deep.equal([
      'unattributed |  |  | 1 | 100.00 | 0.00 | 0.00 | 0.00 | 0.00 | 100.00',
    ]);
  });

  it('is what breakdowns and lists of orders are asked by: that of the last touch, in any case', async () => {
    const visits = [
      ['1001', 'Summer Sale', '100.00'],
      ['1002', 'summer sale', '60.00'],
      ['1003', 'Winter', '30.00'],
    ] as const;
    for (const [id, campaign, total] of visits) {
      const seen = [view(500, 'utm_source=tiktok&utm_campaign=earlier'), view(60, `${META}&utm_campaign=${campaign}`)];
      await collect(...[...seen, { ...purchase, order_id: id }].map((event) => ({ ...event, anon_id: id })));
      await pushOrder({ order_id: id, total });
    }
    const refund = { refund_id: 'r', refunded_at: iso(Date.now()), total: '10.00' };
    await pushOrder({ order_id: '1004', total: '20.00', gateway_fee: '1', refunds: [refund] });
    await service.settled();
    const { status, body } = await shop.call('GET', `/v1/breakdown?by=campaign&${range()}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.overlapping).to.equal(false);
    const rows: BreakdownRow[] = body.rows;
    expect(
      rows.map(({ key, name, orders, net_revenue, profit, share }) => [key, name, orders, net_revenue, profit, share]),
    ).to.deep.equal([
      ['summer sale', undefined, 2, '160.00', '160.00', '0.80'],
      ['winter', 'Winter', 1, '30.00', '30.00', '0.15'],
      [null, undefined, 1, '10.00', '9.00', '0.05'],
    ]);
    const listed = await shop.call('GET', `/v1/orders?campaign=SUMMER+Sale&${range()}`);
    expect(listed.body.orders.map((order: { order_id: string }) => order.order_id)).to.have.members(['1001', '1002']);
    const other = await service.shop();
    await other.call('POST', '/v1/orders', { orders: [] });
    expect((await other.call('GET', `/v1/breakdown?by=campaign&${range()}`)).body.rows).to.deep.equal([]);
  });
});
