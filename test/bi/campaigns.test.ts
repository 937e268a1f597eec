import { expect } from 'chai';
import { readQuestions } from '../../src/warehouse/bi/questions.js';
import { attributedShop, day, iso, MINUTE, type AttributedShop } from '../support/attributed-shop.js';
import { analystsOf, type BiRow } from '../support/bi-proxy.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

const NOW = Date.now();

describe('campaigns in bi', () => {
  const service = useService();
  let shop: AttributedShop;
  let ask: (sql: string) => Promise<BiRow[]>;

  before(async () => {
    shop = await attributedShop(service);
    const rows = analystsOf(service.stores, sharedBiProxy);
    ask = (sql) => rows(shop.shop, sql);
    const view = (anon_id: string, ago: number, query: string) => ({
      type: 'page_view',
      anon_id,
      ts: iso(NOW - ago * MINUTE),
      url: `https://shop.example.com/?${query}`,
    });
    const purchase = (anon_id: string, order_id: string) => ({
      type: 'purchase',
      anon_id,
      order_id,
      ts: iso(NOW - MINUTE),
    });
    await shop.collect(
      view('a', 90, 'gclid=1&gad_campaignid=21'),
      view('a', 60, 'utm_source=facebook&utm_medium=cpc&utm_campaign=Summer+Sale'),
      purchase('a', 'o1'),
      view('b', 60, 'gclid=2&gad_campaignid=21'),
      purchase('b', 'o2'),
    );
    await shop.pushOrder({ order_id: 'o1', placed_at: iso(NOW), total: '100.00', gateway_fee: '3' });
    await shop.pushOrder({ order_id: 'o2', placed_at: iso(NOW), total: '40.00' });
    await shop.pushOrder({ order_id: 'o3', placed_at: iso(NOW), total: '7.00' });
    const spend = (channel: string, amount: string, campaign_id: string, campaign_name: string) => ({
      channel,
      event_date: day(NOW),
      currency: 'EUR',
      spend: amount,
      campaign_id,
      campaign_name,
    });
    const pushed = [
      spend('Facebook', '30', '7', 'summer sale'),
      spend('Google Ads', '50', '21', 'Brand'),
      spend('Google Ads', '5', '22', 'Shopping'),
    ];
    await shop.shop.call('POST', '/v1/costs/spend', { rows: pushed });
    await service.settled();
  });

  it('are those of every touch, and of the last one of an order, and join to spend', async () => {
    expect(await ask('SELECT order_id, number, campaign FROM bi.touches ORDER BY order_id, number')).to.deep.equal([
      { order_id: 'o1', number: 1, campaign: '21' },
      { order_id: 'o1', number: 2, campaign: 'Summer Sale' },
      { order_id: 'o2', number: 1, campaign: '21' },
    ]);
    expect(
      await ask(
        `SELECT p.order_id AS order_id, p.campaign AS campaign, s.spend AS spend FROM bi.order_profit AS p
         LEFT JOIN bi.ad_spend AS s ON p.channel = s.order_channel AND lower(p.campaign) = lower(s.campaign_name)
         ORDER BY order_id`,
      ),
    ).to.deep.equal([
      { order_id: 'o1', campaign: 'Summer Sale', spend: '30' },
      { order_id: 'o2', campaign: '21', spend: null },
      { order_id: 'o3', campaign: null, spend: null },
    ]);
  });

  it('have their profit beside their spend in a question', async () => {
    const questions = await readQuestions('clickhouse/views/questions');
    const { sql = '' } = questions.find(({ title }) => title === 'Profit by campaign') ?? {};
    const rows = await ask(sql);
    expect(rows.map((row) => Object.values(row).join(' | '))).to.deep.equal([
      'google_ads | 21 | 1 | 40 | 40 | 50 | -10',
      'google_ads | shopping | 0 | 0 | 0 | 5 | -5',
      'meta_ads | summer sale | 1 | 100 | 97 | 30 | 67',
    ]);
  });
});
