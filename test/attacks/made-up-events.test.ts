import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { attributedShop, iso, MINUTE, type AttributedShop } from '../support/attributed-shop.js';
import { useService } from '../support/service.js';

const HOUR = 60 * MINUTE;

describe('events that somebody made up with the token of a page', () => {
  const service = useService();
  let own: AttributedShop;

  beforeEach(async () => {
    own = await attributedShop(service);
  });

  const visit = (anon_id: string, query: string, ago: number): Record<string, unknown> => {
    const url = `https://shop.example.com/${query}`;
    return { anon_id, type: 'page_view', ts: iso(Date.now() - ago), url };
  };
  const purchase = (anon_id: string, order_id: string, ago = 0): Record<string, unknown> => {
    const referrer = 'https://shop.example.com/checkout';
    const page = { url: 'https://shop.example.com/thanks', referrer };
    return { anon_id, type: 'purchase', order_id, ts: iso(Date.now() - ago), ...page };
  };
  const AD = '?gclid=made-up';
  const EMAIL = '?utm_source=news&utm_medium=email';

  /** `channel orders proved` of each channel that has orders. */
  const credited = async (): Promise<string[]> => {
    await service.settled();
    const rows = await own.attribution();
    return rows
      .filter(({ orders }) => orders > 0)
      .map(({ channel, orders, proved }) => `${channel} ${orders}, ${proved.orders} proved`)
      .sort();
  };

  it('can turn no order that came from elsewhere into one of an ad, by backdated events', async () => {
    await own.pushOrder({ placed_at: iso(Date.now() - 2 * HOUR) });
    await own.pushOrder({ order_id: '1002', placed_at: iso(Date.now() - MINUTE) });
    await own.collect(visit('customer', EMAIL, 2 * MINUTE), purchase('customer', '1002'));
    await own.collect(visit('made up', AD, 1.5 * MINUTE), purchase('made up', '1002', MINUTE - 1));
    await own.collect(visit('made up 2', AD, 3 * HOUR), purchase('made up 2', '1001', 1.9 * HOUR));
    expect(await credited()).to.deep.equal(['email 1, 0 proved', 'google_ads 1, 0 proved']);
  });

  it('take nothing from the proof of an order once a day is over', async () => {
    const placed = Date.now() - 26 * HOUR;
    await own.pushOrder({ placed_at: iso(placed) });
    await storeEvents(placed - HOUR, visit('customer', '?gclid=real', 0), purchase('customer', '1001'));
    await own.collect(visit('made up', EMAIL, 26.5 * HOUR), purchase('made up', '1001', 26 * HOUR));
    expect(await credited()).to.deep.equal(['google_ads 1, 1 proved']);
  });

  it('can not push the visitor out of an order whose id was guessed', async () => {
    const events = Array.from({ length: 100 }, (_, i) => ({
      ...purchase(`guesser-${i}`, '1001'),
      url: `https://shop.example.com/${AD}`,
    }));
    for (let i = 0; i < events.length; i += 20) await own.collect(...events.slice(i, i + 20));
    await service.settled();
    await own.pushOrder({ placed_at: iso(Date.now()) });
    await own.collect(visit('customer', EMAIL, MINUTE), purchase('customer', '1001'));
    expect(await credited()).to.deep.equal(['email 1, 0 proved']);
  });

  it('count for none of more than 20 orders that one visitor names, in whatever order all of it comes', async () => {
    const ids = Array.from({ length: 21 }, (_, i) => `${2000 + i}`);
    const push = (list: readonly string[]) => Promise.all(list.map((order_id) => own.pushOrder({ order_id })));
    await push(ids.slice(0, 10));
    await own.collect(visit('made up', AD, MINUTE), ...ids.slice(0, 10).map((id) => purchase('made up', id)));
    expect(await credited()).to.deep.equal(['google_ads 10, 10 proved']);
    await own.collect(...ids.slice(10, 20).map((id) => purchase('made up', id)));
    await push(ids.slice(10));
    expect(await credited()).to.deep.equal(['google_ads 20, 20 proved', 'unattributed 1, 0 proved']);
    await own.collect(purchase('made up', '2020'));
    expect(await credited()).to.deep.equal(['unattributed 21, 0 proved']);
  });

  it('take nothing from a visitor whose checkout token the order carries, and prove nothing of such an order', async () => {
    const placed_at = iso(Date.now());
    await own.collect({ ...visit('customer', '?gclid=real', MINUTE) });
    await own.pushOrder({ placed_at, checkout_token: 'secret-1' });
    await own.pushOrder({ order_id: '1002', placed_at, checkout_token: 'secret-2' });
    for (const id of ['1001', '1002']) {
      await own.collect(visit(`made up ${id}`, EMAIL, 1), {
        ...purchase(`made up ${id}`, id),
        checkout_token: 'guess',
      });
      await own.collect(visit(`other ${id}`, '?msclkid=1', 1), purchase(`other ${id}`, id));
    }
    await own.collect({ ...purchase('customer', '1001'), order_id: undefined, checkout_token: 'secret-1' });
    expect(await credited()).to.deep.equal(['email 1, 0 proved', 'google_ads 1, 1 proved']);
    const { body } = await own.shop.call('GET', '/v1/orders/1001');
    expect(body.checkout_token).to.equal('secret-1');
  });

  it('of a checkout token come before or after the order that carries it, and many orders with one token have none', async () => {
    await own.collect(visit('customer', '?gclid=real', MINUTE), {
      ...purchase('customer', ''),
      order_id: undefined,
      checkout_token: 'constant',
    });
    await service.settled();
    const push = (ids: readonly string[]) =>
      Promise.all(ids.map((order_id) => own.pushOrder({ order_id, checkout_token: 'constant' })));
    await push(['1', '2']);
    expect(await credited()).to.deep.equal(['google_ads 2, 2 proved']);
    await push(Array.from({ length: 19 }, (_, i) => `${3 + i}`));
    expect(await credited()).to.deep.equal(['unattributed 21, 0 proved']);
  });

  it('are told from a retry of the visitor itself, which still proves', async () => {
    await own.pushOrder({ placed_at: iso(Date.now()) });
    await own.collect(visit('customer', '', 10 * MINUTE));
    await own.collect(visit('customer', '?gclid=real', 5 * HOUR), purchase('customer', '1001'));
    expect(await credited()).to.deep.equal(['google_ads 1, 1 proved']);
  });

  /** Stores events as if they had arrived at that time. */
  async function storeEvents(at: number, ...events: Record<string, unknown>[]): Promise<void> {
    await own.collect(...events.map((event) => ({ ...event, event_id: randomUUID() })));
    await service.settled();
    const time = `fromUnixTimestamp64Milli(toInt64(${at}), 'UTC')`;
    await service.stores.warehouse.command(
      `INSERT INTO events SELECT * REPLACE (
         precedence + 1 AS precedence, ${time} AS ts, ${time} AS received_at
       ) FROM events FINAL WHERE shop_id = {shop:String}`,
      { shop: own.shop.id },
    );
  }
});
