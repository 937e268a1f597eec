import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { history, naiveShares, SPAN, WAYS, type History } from '../support/attribution-history.js';
import { runs } from '../support/runs.js';
import { startService, type Service, type Shop } from '../support/service.js';

const MODELS = ['last_touch', 'first_touch', 'linear'] as const;
const MINUTE = 60_000;

interface Row {
  channel: string;
  orders: number;
  revenue: string;
  refunds: string;
  net_revenue: string;
  ad_spend: string;
  roas: string | null;
  proved: { orders: number; revenue: string; net_revenue: string };
}

const micros = (amount: string): bigint => {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
};
const total = (rows: readonly Row[], field: 'revenue' | 'refunds' | 'ad_spend'): bigint =>
  rows.reduce((sum, row) => sum + micros(row[field]), 0n);
const euros = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
const iso = (ms: number): string => new Date(ms).toISOString();

describe('GET /v1/attribution', () => {
  let service: Service;
  let shop: Shop;
  let token: string;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    shop = await service.shop();
    token = await service.key(shop.id, 'pixel');
  });

  const day = (ms: number): string => iso(ms).slice(0, 10);
  const range = (): string => `from=${day(Date.now() - 40 * 1440 * MINUTE)}&to=${day(Date.now() + 1440 * MINUTE)}`;
  const attribution = async (model = 'last_touch'): Promise<Row[]> => {
    const { status, body } = await shop.call('GET', `/v1/attribution?${range()}&model=${model}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.channels as Row[];
  };
  const collect = async (...events: Record<string, unknown>[]): Promise<void> => {
    const full = events.map((event) => ({
      event_id: randomUUID(),
      anon_id: 'visitor',
      consent: 'analytics',
      ...event,
    }));
    const answer = await service.call('POST', '/v1/collect?debug=1', { key: token, body: { events: full } });
    for (const result of answer.body.results)
      expect(result, JSON.stringify(result)).to.include({ verdict: 'accepted' });
  };
  const pushOrder = async (fields: Record<string, unknown>): Promise<void> => {
    const total_ = (fields.total as string | undefined) ?? '100.00';
    const order = {
      ...{ order_id: '1001', placed_at: iso(Date.now()), currency: 'EUR', status: 'paid', total: total_ },
      line_items: [{ line_id: '1', quantity: '1', unit_price: total_ }],
      ...fields,
    };
    const { body } = await shop.call('POST', '/v1/orders', { orders: [order] });
    expect(body.accepted, JSON.stringify(body)).to.equal(1);
  };
  const adClick = (ago = 60) => ({
    type: 'page_view',
    ts: iso(Date.now() - ago * MINUTE),
    url: 'https://shop.example.com/?gclid=abc',
    referrer: 'https://www.google.com/',
  });
  const purchase = (fields: Record<string, unknown> = {}) => ({
    ...{ type: 'purchase', order_id: '1001', ts: iso(Date.now() - MINUTE), url: 'https://shop.example.com/thanks' },
    referrer: 'https://shop.example.com/checkout',
    ...fields,
  });
  const credited = {
    ...{ channel: 'google_ads', orders: 1, revenue: '100.00', refunds: '0.00', net_revenue: '100.00' },
    ...{ ad_spend: '0.00', roas: null },
    proved: { orders: 1, revenue: '100.00', net_revenue: '100.00' },
  };
  const unproved = { orders: 0, revenue: '0.00', net_revenue: '0.00' };
  const nothing = {
    ...{ channel: 'unattributed', orders: 0, revenue: '0.00', refunds: '0.00', net_revenue: '0.00' },
    ...{ ad_spend: '0.00', roas: null, proved: unproved },
  };

  it('credits an order to the ad that its visitor came from', async () => {
    await collect(adClick(), purchase());
    await service.settled();
    await pushOrder({});
    await service.settled();
    for (const model of MODELS) expect(await attribution(model)).to.deep.equal([credited, nothing]);
  });

  it('credits it just the same when the events come after the order, one by one', async () => {
    await pushOrder({});
    await service.settled();
    expect(await attribution()).to.deep.equal([{ ...credited, channel: 'unattributed', proved: unproved }]);
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
    const kept = { ...credited, refunds: '30.00', net_revenue: '70.00', proved };
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
      ...{ channel, event_date: day(Date.now()), currency, spend: amount },
    });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [spend('Google Ads', '40'), spend('AdWords', '10'), spend('Podcast', '7'), spend('Bing', '3', 'USD')],
    });
    const expense = { external_id: 'agency', name: 'Agency', category: 'marketing', amount: '10', currency: 'EUR' };
    const schedule = { frequency: 'weekly', started_on: day(Date.now() - 1440 * MINUTE), counts_as_ad_spend: true };
    await shop.call('POST', '/v1/costs/expenses', { ...expense, ...schedule });
    await service.settled();
    const { body } = await shop.call('GET', `/v1/attribution?${range()}`);
    const rows = body.channels as Row[];
    expect(rows.map((row) => [row.channel, row.ad_spend, row.roas])).to.deep.equal([
      ['google_ads', '50.00', '2.00'],
      ['custom:podcast', '7.00', '0.00'],
      ['expenses', '4.285714', '0.00'],
      ['unattributed', '0.00', null],
    ]);
    const metrics = (await shop.call('GET', `/v1/metrics?${range()}`)).body;
    expect(total(rows, 'ad_spend')).to.equal(micros(metrics.ad_spend));
    expect(body.currency_note).to.equal(metrics.currency_note).and.include('USD');
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

  it('equals a naive reference over random histories, in whatever order they arrive', async function () {
    this.timeout(600_000);
    const property = fc.asyncProperty(history, fc.infiniteStream(fc.nat(999)), async (past, dice) => {
      shop = await service.shop();
      token = await service.key(shop.id, 'pixel');
      await play(past, dice);
      await service.settled();
      const metrics = (await shop.call('GET', `/v1/metrics?${range()}`)).body as Row;
      for (const model of MODELS) {
        const rows = await attribution(model);
        expect(total(rows, 'revenue')).to.equal(micros(metrics.revenue));
        expect(total(rows, 'refunds')).to.equal(micros(metrics.refunds));
        expect(rows.reduce((sum, row) => sum + Math.round(row.orders * 1e6), 0)).to.equal(metrics.orders * 1e6);
        compare(rows, past, model);
      }
    });
    await fc.assert(property, { numRuns: runs(1) });
  });

  /** Sends a history in random order, some of it twice, while the workers are at it. */
  async function play(past: History, dice: Iterator<number>): Promise<void> {
    const start = Date.now() - SPAN + 2 * MINUTE;
    const roll = (): number => (dice.next().value as number | undefined) ?? 0;
    const events = past.events.map((event) => () => {
      const way = WAYS[event.way];
      return collect({
        ...{ event_id: event.id, anon_id: `v${event.visitor}`, type: event.type },
        ...{ ts: iso(start + event.at), url: way?.url, referrer: way?.referrer },
        ...(event.order !== undefined && { order_id: `o${event.order}` }),
        ...(event.checkout !== undefined && { checkout_token: `c${event.checkout}` }),
      });
    });
    const orders = past.orders.map((order) => () => {
      const refund = order.refund;
      return pushOrder({
        ...{ order_id: `o${order.id}`, placed_at: iso(start + order.placed), total: euros(order.cents) },
        refunds: refund ? [{ refund_id: 'r', refunded_at: iso(start + refund.at), total: euros(refund.cents) }] : [],
      });
    });
    const shuffled = [...events, ...orders]
      .flatMap((send) => (roll() < 100 ? [send, send] : [send]))
      .map((send) => ({ send, at: roll() }))
      .sort((a, b) => a.at - b.at);
    for (let i = 0; i < shuffled.length; i += 6) {
      await Promise.all(shuffled.slice(i, i + 6).map(({ send }) => send()));
      if (roll() < 200) await service.settled();
    }
  }

  function compare(rows: readonly Row[], past: History, model: string): void {
    const none = { orders: 0, cents: 0, refunds: 0, proved: 0, provedCents: 0, provedRefunds: 0 };
    const expected = new Map<string, typeof none>();
    for (const [id, shares] of naiveShares(past, model)) {
      const order = past.orders[id];
      for (const [channel, { share, proved }] of shares) {
        const sum = { ...(expected.get(channel) ?? none) };
        sum.orders += share;
        sum.cents += share * (order?.cents ?? 0);
        sum.refunds += share * (order?.refund?.cents ?? 0);
        sum.proved += proved;
        sum.provedCents += proved * (order?.cents ?? 0);
        sum.provedRefunds += proved * (order?.refund?.cents ?? 0);
        expected.set(channel, sum);
      }
    }
    const named = rows.filter((row) => row.orders > 0 || row.refunds !== '0.00').map((row) => row.channel);
    expect(named.sort(), model).to.deep.equal([...expected.keys()].sort());
    for (const { channel, orders, revenue, refunds, proved } of rows) {
      const sum = expected.get(channel) ?? none;
      expect(orders, `${model} ${channel} orders`).to.be.closeTo(sum.orders, 1e-5);
      expect(Number(revenue), `${model} ${channel} revenue`).to.be.closeTo(sum.cents / 100, 1e-5);
      expect(Number(refunds), `${model} ${channel} refunds`).to.be.closeTo(sum.refunds / 100, 1e-5);
      expect(proved.orders, `${model} ${channel} proved`).to.be.closeTo(sum.proved, 1e-5);
      expect(Number(proved.revenue), `${model} ${channel} proved`).to.be.closeTo(sum.provedCents / 100, 1e-5);
      const net = (sum.provedCents - sum.provedRefunds) / 100;
      expect(Number(proved.net_revenue), `${model} ${channel} proved`).to.be.closeTo(net, 1e-5);
    }
  }
});
