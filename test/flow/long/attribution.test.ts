import { expect } from 'chai';
import { ATTRIBUTION_MODELS, type ChannelRow } from '../../../src/schemas/attribution.js';
import { attributedShop, day, iso, MINUTE, range, total, type AttributedShop } from '../../support/attributed-shop.js';
import { wireMicros } from '../../support/cost-reference.js';
import { useService, type Shop } from '../../support/service.js';

describe('GET /v1/attribution', () => {
  const service = useService();
  let shop: Shop;
  let token: string;
  let attribution: AttributedShop['attribution'];
  let collect: AttributedShop['collect'];
  let pushOrder: AttributedShop['pushOrder'];

  beforeEach(async () => {
    ({ shop, token, attribution, collect, pushOrder } = await attributedShop(service));
  });

  const adClick = (ago = 60) => ({
    type: 'page_view',
    ts: iso(Date.now() - ago * MINUTE),
    url: 'https://shop.example.com/?gclid=abc',
    referrer: 'https://www.google.com/',
  });
  const purchase = (fields: Record<string, unknown> = {}) => ({
    type: 'purchase',
    order_id: '1001',
    ts: iso(Date.now() - MINUTE),
    url: 'https://shop.example.com/thanks',
    referrer: 'https://shop.example.com/checkout',
    ...fields,
  });
  const none = { orders: 0, revenue: '0.00', net_revenue: '0.00' };
  const credited = {
    channel: 'google_ads',
    orders: 1,
    revenue: '100.00',
    refunds: '0.00',
    net_revenue: '100.00',
    cogs: '0.00',
    gateway_fees: '0.00',
    ad_spend: '0.00',
    profit: '100.00',
    roas: null,
    proved: { orders: 1, revenue: '100.00', net_revenue: '100.00' },
    claimed: none,
    ambiguous: none,
  };
  const nothing = {
    channel: 'unattributed',
    orders: 0,
    revenue: '0.00',
    refunds: '0.00',
    net_revenue: '0.00',
    cogs: '0.00',
    gateway_fees: '0.00',
    ad_spend: '0.00',
    profit: '0.00',
    roas: null,
    proved: none,
    claimed: none,
    ambiguous: none,
  };

  it('credits an order to the ad that its visitor came from', async () => {
    await collect(adClick(), purchase());
    await service.settled();
    await pushOrder({});
    await service.settled();
    for (const model of ATTRIBUTION_MODELS) expect(await attribution(model)).to.deep.equal([credited, nothing]);
  });

  it('credits it just the same when the events come after the order, one by one', async () => {
    await pushOrder({});
    await service.settled();
    expect(await attribution()).to.deep.equal([
      { ...credited, channel: 'unattributed', proved: none, ambiguous: credited.proved },
    ]);
    await collect(purchase());
    await service.settled();
    expect((await attribution())[0]).to.include({ channel: 'unattributed', orders: 1 });
    await collect(adClick());
    await service.settled();
    expect(await attribution()).to.deep.equal([credited, nothing]);
  });

  it('follows an order to another day, its refund, its cancellation', async () => {
    await collect(adClick(), purchase());
    const refund = { refund_id: 'r', refunded_at: iso(Date.now()), total: '30.00' };
    const moved = iso(Date.now() - 600 * MINUTE);
    await pushOrder({ placed_at: iso(Date.now() - 30 * MINUTE) });
    await service.settled();
    await pushOrder({ placed_at: moved, updated_at: iso(Date.now()), refunds: [refund] });
    await service.settled();
    const proved = { ...credited.proved, net_revenue: '70.00' };
    const kept = { ...credited, refunds: '30.00', net_revenue: '70.00', profit: '70.00', proved };
    expect((await attribution())[0]).to.deep.equal(kept);
    await pushOrder({ placed_at: moved, updated_at: iso(Date.now() + 1), status: 'voided' });
    await service.settled();
    expect(await attribution()).to.deep.equal([nothing]);
  });

  it('ties a purchase to its order by the checkout token that another event names beside the order', async () => {
    await pushOrder({});
    await collect(adClick(), purchase({ order_id: undefined, checkout_token: 'c-1' }));
    await service.settled();
    expect((await attribution())[0]).to.include({ channel: 'unattributed', orders: 1 });
    await collect(
      purchase({ type: 'identify', consent: 'analytics+marketing', checkout_token: 'c-1', anon_id: 'other' }),
    );
    await service.settled();
    expect((await attribution())[0]).to.deep.equal(credited);
  });

  it('splits an order exactly, and keeps shops apart', async () => {
    await collect(
      adClick(600),
      { ...adClick(400), url: 'https://shop.example.com/?utm_source=n&utm_medium=email' },
      { ...adClick(200), url: 'https://shop.example.com/?utm_source=tiktok&utm_medium=cpc' },
      purchase(),
    );
    await pushOrder({ total: '100.00' });
    const other = await service.shop();
    await other.call('POST', '/v1/orders', { orders: [] });
    await service.settled();
    const rows = await attribution('linear');
    expect(rows.map(({ channel, revenue, orders }) => [channel, revenue, orders])).to.deep.equal([
      ['email', '33.333334', 0.333334],
      ['google_ads', '33.333333', 0.333333],
      ['tiktok_ads', '33.333333', 0.333333],
      ['unattributed', '0.00', 0],
    ]);
    const { body } = await other.call('GET', `/v1/attribution?${range()}`);
    expect(body.channels).to.deep.equal([nothing]);
  });

  it('sets spend against the orders of its channel, and adds up to the metrics', async () => {
    await collect(adClick(), purchase());
    await pushOrder({});
    const spend = (channel: string, amount: string, currency = 'EUR') => ({
      channel,
      event_date: day(Date.now()),
      currency,
      spend: amount,
    });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [spend('Google Ads', '40'), spend('AdWords', '10'), spend('Podcast', '7'), spend('Bing', '3', 'USD')],
    });
    const expense = { external_id: 'agency', name: 'Agency', category: 'marketing', amount: '10', currency: 'EUR' };
    const schedule = { frequency: 'weekly', started_on: day(Date.now() - 1440 * MINUTE), counts_as_ad_spend: true };
    await shop.call('POST', '/v1/costs/expenses', { ...expense, ...schedule });
    await service.settled();
    const { body } = await shop.call('GET', `/v1/attribution?${range()}`);
    const rows = body.channels as ChannelRow[];
    expect(rows.map((row) => [row.channel, row.ad_spend, row.roas])).to.deep.equal([
      ['google_ads', '50.00', '2.00'],
      ['custom:podcast', '7.00', '0.00'],
      ['expenses', '4.285714', '0.00'],
      ['unattributed', '0.00', null],
    ]);
    const metrics = (await shop.call('GET', `/v1/metrics?${range()}`)).body;
    expect(total(rows, 'ad_spend')).to.equal(wireMicros(metrics.ad_spend));
    expect(body.currency_note).to.equal(metrics.currency_note).and.include('USD');
  });

  it('gives the costs of each channel at the days of orders and refunds, which add up to the metrics', async () => {
    const [today, before] = [Date.now(), Date.now() - 1440 * MINUTE];
    await collect(adClick(2000), purchase({ ts: iso(before) }));
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '12' }] });
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'Stripe', percent: '1.5', fixed: '0.25' }],
    });
    const line = (fields = {}) => ({ line_id: '1', quantity: '2', unit_price: '50', sku: 'MUG', ...fields });
    const refund = { refund_id: 'r', refunded_at: iso(today), total: '50', gateway_fee_refund: '0.10' };
    await pushOrder({
      placed_at: iso(before),
      line_items: [line()],
      payment_gateway: 'stripe',
      refunds: [{ ...refund, line_items: [{ line_id: '1', quantity: '1', restock: true }] }],
    });
    await pushOrder({ order_id: '1002', line_items: [line({ unit_cost: '7' })], gateway_fee: '3' });
    await pushOrder({ order_id: '1003', line_items: [line()], payment_gateway: 'stripe' });
    await shop.call('PUT', '/v1/costs/orders', { costs: [{ order_id: '1003', gateway_fee: '2' }] });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [{ channel: 'google', event_date: day(today), currency: 'EUR', spend: '20' }],
    });
    await service.settled();
    const read = async (days: string) => {
      const rows = (await shop.call('GET', `/v1/attribution?${days}`)).body.channels as ChannelRow[];
      const metrics = (await shop.call('GET', `/v1/metrics?${days}`)).body;
      for (const field of ['cogs', 'gateway_fees'] as const) {
        expect(total(rows, field), field).to.equal(wireMicros(metrics[field]));
      }
      expect(total(rows, 'profit')).to.equal(wireMicros(metrics.net_profit));
      return rows.map(({ channel, cogs, gateway_fees, profit }) => `${channel} ${cogs} ${gateway_fees} ${profit}`);
    };
    expect(await read(`from=${day(before)}&to=${day(before)}`)).to.deep.equal([
      'google_ads 24.00 1.75 74.25',
      'unattributed 0.00 0.00 0.00',
    ]);
    expect(await read(`from=${day(today)}&to=${day(today)}`)).to.deep.equal([
      'google_ads -12.00 -0.10 -57.90',
      'unattributed 38.00 5.00 157.00',
    ]);
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '10' }] });
    await service.settled();
    expect(await read(range())).to.deep.equal(['google_ads 10.00 1.65 18.35', 'unattributed 34.00 5.00 161.00']);
  });

  it('refuses what it does not know', async () => {
    const read = async (query: string) => {
      const { status, body } = await shop.call('GET', `/v1/attribution?${query}`);
      return [status, body.errors?.[0].code, body.errors?.[0].field];
    };
    expect(await read('model=magic')).to.deep.equal([400, 'invalid_value', 'model']);
    expect(await read('models=linear')).to.deep.equal([400, 'unknown_field', 'models']);
    expect(await read('from=2026-02-01&to=2026-01-01')).to.deep.equal([400, 'invalid_range', 'from']);
    const { body } = await shop.call('GET', '/v1/attribution');
    expect(body).to.include({ to: day(Date.now()), currency: 'EUR', model: 'last_touch' });
    const secret = await service.key('no-source-here', 'secret');
    expect((await service.call('GET', '/v1/attribution', { key: secret })).status).to.equal(409);
    expect((await service.call('GET', '/v1/attribution', { key: token })).status).to.equal(403);
  });
});
