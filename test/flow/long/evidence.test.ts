import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { dateTimeText } from '../../../src/warehouse/columns/date-time.js';
import { runRebuild } from '../../../src/cli/commands/rollups.js';
import { literal } from '../../../src/warehouse/sql.js';
import { useFreshShop, useService } from '../../support/service.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const FACEBOOK = 'https://l.facebook.com/';
const GOOGLE = 'https://www.google.com/';
const iso = (ms: number): string => new Date(ms).toISOString();

interface Proved {
  channel: string;
  orders: number;
  proved: { orders: number; revenue: string; net_revenue: string };
}

describe('evidence of touches', () => {
  const service = useService();
  const shop = useFreshShop(service);
  const none = { orders: 0, revenue: '0.00', net_revenue: '0.00' };
  const all = { orders: 1, revenue: '100.00', net_revenue: '100.00' };

  const pushOrder = async (order_id: string, placed = Date.now()): Promise<void> => {
    const order = { order_id, placed_at: iso(placed), currency: 'EUR', status: 'paid', total: '100' };
    const line_items = [{ line_id: '1', quantity: '1', unit_price: '100' }];
    const { body } = await shop.call('POST', '/v1/orders', { orders: [{ ...order, line_items }] });
    expect(body.accepted, JSON.stringify(body)).to.equal(1);
  };
  const credited = async (from: number): Promise<Proved[]> => {
    await service.settled();
    const range = `from=${iso(from - DAY).slice(0, 10)}&to=${iso(from + 2 * DAY).slice(0, 10)}`;
    const { body } = await shop.call('GET', `/v1/attribution?${range}`);
    return (body.channels as Proved[]).map(({ channel, orders, proved }) => ({ channel, orders, proved }));
  };
  const rebuild = (): Promise<number> => {
    const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
    const { signal } = new AbortController();
    return runRebuild(service.stores, { shop: shop.id, eventRetentionDays: 400, stderr, signal });
  };
  /** Two events as they were stored before events had evidence: a visit, and the purchase of an order. */
  const storeOld = async (visit: Record<string, unknown>, order_id: string, at = Date.now()): Promise<void> => {
    const common = {
      shop_id: shop.id,
      precedence: 7,
      received_at: dateTimeText(at),
      anon_id: `visitor of ${order_id}`,
    };
    await service.stores.warehouse.insert('events', [
      { ...common, event_id: randomUUID(), type: 'page_view', ts: dateTimeText(at - 60 * MINUTE), ...visit },
      {
        ...common,
        event_id: randomUUID(),
        type: 'purchase',
        ts: dateTimeText(at - MINUTE),
        order_id,
        referrer_class: 'internal',
        channel: 'internal',
      },
    ]);
  };

  it('is stored with events and sessions, and adds up by channel', async () => {
    const token = await service.key(shop.id, 'pixel');
    const visits: Record<string, [string, string]> = {
      proved: ['?gclid=1', GOOGLE],
      claimed: ['?utm_source=google&utm_medium=cpc', ''],
      social: ['?fbclid=1', FACEBOOK],
      stale: ['?gclid=1&utm_source=news&utm_medium=email', ''],
    };
    const now = Date.now();
    for (const [anon_id, [query, referrer]] of Object.entries(visits)) {
      const visit = {
        type: 'page_view',
        ts: iso(now - 60 * MINUTE),
        url: `https://shop.example.com/${query}`,
        referrer,
      };
      const purchase = { type: 'purchase', ts: iso(now - MINUTE), order_id: anon_id };
      const events = [visit, purchase].map((event) => {
        return { event_id: randomUUID(), anon_id, consent: 'analytics', ...event };
      });
      expect((await service.call('POST', '/v1/collect', { key: token, body: { events } })).status).to.equal(204);
      await pushOrder(anon_id);
    }
    expect((await credited(now)).sort((a, b) => (a.channel < b.channel ? -1 : 1))).to.deep.equal([
      { channel: 'email', orders: 1, proved: none },
      { channel: 'google_ads', orders: 2, proved: all },
      { channel: 'organic_social', orders: 1, proved: none },
      { channel: 'unattributed', orders: 0, proved: none },
    ]);
    const rows = await service.stores.warehouse.query(
      `SELECT anon_id, channel, toString(evidence) AS evidence FROM visitor_events
       WHERE shop_id = ${literal(shop.id)} AND type = 'page_view' ORDER BY anon_id`,
    );
    expect(rows).to.deep.equal([
      { anon_id: 'claimed', channel: 'google_ads', evidence: 'claimed' },
      { anon_id: 'proved', channel: 'google_ads', evidence: 'proved' },
      { anon_id: 'social', channel: 'organic_social', evidence: 'ambiguous' },
      { anon_id: 'stale', channel: 'email', evidence: 'ambiguous' },
    ]);
  });

  it('of events that were stored before it was kept comes with a rebuild, which judges their channels anew', async () => {
    const now = Date.now();
    const click = (param: string, network: string) => {
      return { 'click_ids.param': [param], 'click_ids.network': [network], 'click_ids.value': ['1'] };
    };
    const social = { referrer_host: 'l.facebook.com', referrer_class: 'social' };
    await storeOld({ ...click('fbclid', 'meta'), ...social, channel: 'meta_ads' }, 'a');
    await storeOld({ ...click('gclid', 'google'), referrer_class: 'direct', channel: 'google_ads' }, 'b');
    await storeOld({ utm_medium: 'email', referrer_class: 'direct', channel: 'email' }, 'c');
    for (const id of ['a', 'b', 'c']) await pushOrder(id);
    expect((await credited(now)).map(({ channel, proved }) => [channel, proved.orders])).to.deep.equal([
      ['email', 0],
      ['google_ads', 0],
      ['meta_ads', 0],
      ['unattributed', 0],
    ]);
    const count = `SELECT toUInt32(count()) AS n, toUInt32(uniqExact(event_id)) AS ids FROM events FINAL WHERE shop_id = ${literal(shop.id)}`;
    for (let times = 0; times < 2; times++) {
      expect(await rebuild()).to.be.greaterThan(0);
      expect(await credited(now)).to.deep.equal([
        { channel: 'email', orders: 1, proved: none },
        { channel: 'google_ads', orders: 1, proved: all },
        { channel: 'organic_social', orders: 1, proved: none },
        { channel: 'unattributed', orders: 0, proved: none },
      ]);
      expect(await service.stores.warehouse.query(count)).to.deep.equal([{ n: 6, ids: 6 }]);
    }
  });

  it('of an order whose visits may be gone already stays as it is', async () => {
    const placed = Date.now() - 380 * DAY;
    const touch = { channel: 'google_ads', utm_source: 'news', utm_medium: 'email', referrer_class: 'direct' };
    await storeOld(touch, 'old', placed);
    await pushOrder('old', placed);
    expect((await credited(placed))[0]).to.deep.include({ channel: 'google_ads', orders: 1 });
    await rebuild();
    expect((await credited(placed))[0]).to.deep.include({ channel: 'google_ads', orders: 1 });
  });
});
