import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ChannelRow, Loss } from '../../../src/schemas/attribution.js';
import { attributedShop, day, iso, MINUTE, range, type AttributedShop } from '../../support/attributed-shop.js';
import { wireMicros } from '../../support/cost-reference.js';
import { useService } from '../../support/service.js';

const DAY = 1440 * MINUTE;
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

describe('the losses of GET /v1/attribution', () => {
  const service = useService();
  let shop: AttributedShop;
  beforeEach(async () => {
    shop = await attributedShop(service);
  });

  const read = async (): Promise<{ losses: Loss[]; channels: ChannelRow[] }> => {
    const { status, body } = await shop.shop.call('GET', `/v1/attribution?${range()}&include=losses`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const named = (id: string, ago: number, fields = {}) => ({
    type: 'purchase',
    order_id: id,
    ts: iso(Date.now() - ago),
    url: 'https://shop.example.com/?utm_source=n&utm_medium=email',
    anon_id: `visitor of ${id}`,
    ...fields,
  });

  it('tell why each order is unattributed, and with the channels are all orders', async () => {
    const now = Date.now();
    await shop.pushOrder({ order_id: 'credited', total: '1.00' });
    await shop.pushOrder({ order_id: 'before', total: '2.00', placed_at: iso(now - 2 * DAY) });
    await shop.pushOrder({ order_id: 'unnamed', total: '4.00' });
    await shop.pushOrder({ order_id: 'old', total: '8.00', placed_at: iso(now) });
    await shop.pushOrder({ order_id: 'ahead', total: '16.00', placed_at: iso(now - 2 * DAY) });
    await shop.pushOrder({ order_id: 'voided', total: '512.00', status: 'voided' });
    await shop.collect(
      named('credited', 2 * MINUTE),
      named('old', MINUTE, { url: 'https://shop.example.com/thanks', referrer: 'https://bank.example/' }),
      named('ahead', MINUTE, { type: 'page_view' }),
    );
    await service.settled();
    const { losses, channels } = await read();
    const [today, before] = [day(now), day(now - 2 * DAY)];
    expect(losses).to.deep.equal([
      { date: before, cause: 'before_pixel', orders: 1, revenue: '2.00' },
      { date: before, cause: 'clock', orders: 1, revenue: '16.00' },
      { date: today, cause: 'not_named', orders: 1, revenue: '4.00' },
      { date: today, cause: 'too_old', orders: 1, revenue: '8.00' },
    ]);
    const lost = channels.find(({ channel }) => channel === 'unattributed');
    expect(lost?.orders).to.equal(losses.reduce((sum, { orders }) => sum + orders, 0));
    expect(wireMicros(lost?.revenue ?? '')).to.equal(
      losses.reduce((sum, { revenue }) => sum + wireMicros(revenue), 0n),
    );
    const metrics = (await shop.shop.call('GET', `/v1/metrics?${range()}`)).body;
    expect(channels.reduce((sum, { orders }) => sum + orders, 0)).to.equal(metrics.orders);
  });

  it('tell a shop without a pixel, and are absent where nobody asks', async () => {
    await shop.pushOrder({});
    await service.settled();
    expect((await read()).losses).to.deep.equal([
      { date: day(Date.now()), cause: 'no_pixel', orders: 1, revenue: '100.00' },
    ]);
    const { body } = await shop.shop.call('GET', `/v1/attribution?${range()}`);
    expect(body).not.to.have.property('losses');
    const wrong = await shop.shop.call('GET', `/v1/attribution?${range()}&include=gains`);
    expect([wrong.status, wrong.body.errors[0].code, wrong.body.errors[0].field]).to.deep.equal([
      400,
      'invalid_value',
      'include',
    ]);
  });

  it('tell an order whose event was dropped for its time as clock, and one that a bot named as well as bot', async () => {
    const now = Date.now();
    const send = async (id: string, ts: number, headers = {}): Promise<void> => {
      const event = { ...named(id, 0), ts: iso(ts), event_id: randomUUID(), consent: 'analytics' };
      const body = { events: [event], sent_at: iso(now) };
      await service.call('POST', '/v1/collect', { key: shop.token, body, headers });
    };
    await shop.collect({ ...named('x', MINUTE), order_id: undefined, type: 'page_view' });
    await send('late', now - 49 * 60 * MINUTE);
    for (const order_id of ['late', 'ahead', 'both', 'unnamed']) await shop.pushOrder({ order_id });
    await service.settled();
    await send('ahead', now + 2 * DAY);
    await send('both', now - 3 * DAY);
    await send('both', now, { 'User-Agent': BOT });
    await service.settled();
    expect((await read()).losses.map(({ cause, orders }) => [cause, orders])).to.deep.equal([
      ['bot', 1],
      ['clock', 2],
      ['not_named', 1],
    ]);
  });

  it('tell an order that a bot named, before or after it came, and keep nothing but a hash of its id', async () => {
    const send = async (id: string, consent: string): Promise<void> => {
      const event = { ...named(id, MINUTE), event_id: randomUUID(), consent };
      const { status } = await service.call('POST', '/v1/collect', {
        key: shop.token,
        body: { events: [event] },
        headers: { 'User-Agent': BOT },
      });
      expect(status).to.equal(204);
    };
    await shop.collect({ ...named('x', MINUTE), order_id: undefined, type: 'page_view' });
    await send('secret-1', 'analytics');
    await shop.pushOrder({ order_id: 'secret-1' });
    await shop.pushOrder({ order_id: 'secret-2' });
    await shop.pushOrder({ order_id: 'secret-3' });
    await service.settled();
    await send('secret-2', 'analytics+marketing');
    await send('secret-3', 'denied');
    await service.settled();
    expect((await read()).losses.map(({ cause, orders }) => [cause, orders])).to.deep.equal([
      ['bot', 2],
      ['not_named', 1],
    ]);
    const kept = await service.stores.redis.zrange(`dropped:{${shop.shop.id}}`, '0', '-1');
    expect(kept).to.have.length(2);
    expect(kept.join()).not.to.contain('secret');
    expect(await service.stores.redis.pttl(`dropped:{${shop.shop.id}}`)).to.be.within(1, 2 * DAY);
  });
});
