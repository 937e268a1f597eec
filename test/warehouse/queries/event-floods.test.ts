import { expect } from 'chai';
import { ordersOfEvents, type EventNews } from '../../../src/warehouse/queries/event-links.js';
import { readEvidence } from '../../../src/warehouse/queries/order-attribution.js';
import { startService, type Service } from '../../support/service.js';

const AT = Date.UTC(2026, 2, 5, 12);

describe('made-up events', () => {
  let service: Service;
  let shop: string;
  before(async () => {
    service = await startService({ workers: false });
    shop = (await service.shop()).id;
    for (const id of ['crowded', 'a', 'b', 'c']) await storeOrder(id);
  });
  after(() => service.stop());

  const storeOrder = async (id: string): Promise<void> => {
    const row = { shop_id: shop, order_id: id, version: '1', is_deleted: 0, placed_day: '2026-03-05' };
    await service.stores.warehouse.insert('orders', [{ ...row, placed_at: AT / 1000 }]);
    await service.stores.warehouse.insert('order_days', [{ ...row, day: '2026-03-05', orders: 1 }]);
  };
  /** So many events, whose fields follow from their `number`. */
  const send = (count: number, fields: { visitor: string; order?: string; checkout?: string }): Promise<void> =>
    service.stores.warehouse.command(
      `INSERT INTO events (shop_id, event_id, precedence, type, ts, received_at, anon_id, order_id, checkout_token, channel)
       SELECT {shop:String}, concat(${fields.visitor}, ' ', toString(number)), 1, 'page_view', at, at, ${fields.visitor},
         ${fields.order ?? "''"}, ${fields.checkout ?? "''"}, 'email'
       FROM (SELECT number, fromUnixTimestamp64Milli(toInt64(${AT} - 60000 * number)) AS at FROM numbers(${count}))`,
      { shop },
    );
  const evidenceOf = async (...ids: string[]) => {
    const groups = [];
    for await (const group of readEvidence(service.stores.warehouse, new Map([[shop, ids]]))) groups.push(group);
    return groups;
  };

  it('tie few of their visitors to an order, and nothing to one that is not stored', async () => {
    await send(500, { visitor: `concat('crowd-', toString(number))`, order: `'crowded'` });
    await send(500, { visitor: `concat('ghost-', toString(number))`, order: `'never pushed'` });
    const [[only, ...others] = []] = await evidenceOf('crowded', 'never pushed');
    expect([only?.orderId, others.length]).to.deep.equal(['crowded', 0]);
    expect(only?.visitors).to.have.length(20);
  });

  it('are read for some orders at a time', async () => {
    for (const id of ['a', 'b', 'c']) {
      const visitor = `concat('${id}-', toString(number % 12))`;
      await send(48_000, { visitor, order: `if(number < 12, '${id}', '')` });
    }
    const groups = await evidenceOf('a', 'b', 'c');
    expect(groups.map((group) => group.length)).to.deep.equal([2, 1]);
    for (const { visitors } of groups.flat()) {
      expect(visitors.map(({ length }) => length)).to.deep.equal(Array.from({ length: 12 }, () => 4_000));
    }
  });

  it('mark few of the orders that they tie to one checkout', async () => {
    await send(1_000, { visitor: `'shopper'`, order: `concat('o-', toString(number))`, checkout: `'token'` });
    const news: EventNews = {
      visitors: new Set(['nobody']),
      orders: new Set(),
      checkouts: new Set(['token']),
      since: AT,
    };
    const marked = await ordersOfEvents(service.stores.warehouse, new Map([[shop, news]]), 0);
    expect(marked.map(({ id }) => id).sort()).to.deep.equal(Array.from({ length: 20 }, (_, i) => `o-${i}`).sort());
  });
});
