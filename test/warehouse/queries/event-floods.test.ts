import { expect } from 'chai';
import { ordersOfEvents, type EventNews } from '../../../src/warehouse/queries/event-links.js';
import { readEvidence } from '../../../src/warehouse/queries/order-evidence.js';
import { useService } from '../../support/service.js';

const AT = Date.UTC(2026, 2, 5, 12);

describe('made-up events', () => {
  // A worker reads this, which waits for a busy warehouse.
  const service = useService({ workers: false });
  let shop: string;
  before(async () => {
    shop = (await service.shop()).id;
    for (const id of ['crowded', 'flooded', 'busy', 'shared', 'a', 'b', 'c']) await storeOrder(id);
  });

  const storeOrder = async (id: string): Promise<void> => {
    const row = { shop_id: shop, order_id: id, version: '1', is_deleted: 0, placed_day: '2026-03-05' };
    await service.stores.warehouse.insert('orders', [{ ...row, placed_at: '2026-03-05 12:00:00' }]);
    await service.stores.warehouse.insert('order_days', [{ ...row, day: '2026-03-05', orders: 1 }]);
  };
  /** So many events, whose fields follow from their `number`; each arrives at once, a minute before the one with the number below. */
  const send = (
    count: number,
    fields: { visitor: string; order?: string; checkout?: string; at?: string },
  ): Promise<void> =>
    service.stores.warehouse.command(
      `INSERT INTO events (shop_id, event_id, precedence, type, ts, received_at, anon_id, order_id, checkout_token, channel)
       SELECT {shop:String}, concat(${fields.visitor}, ' ', toString(number), ' ', ${fields.order ?? "''"}), 1, 'page_view', at, at,
         ${fields.visitor}, ${fields.order ?? "''"}, ${fields.checkout ?? "''"}, 'email'
       FROM (SELECT number, fromUnixTimestamp64Milli(toInt64(${fields.at ?? `${AT} - 60000 * number`})) AS at FROM numbers(${count}))`,
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
    expect(only?.visitors.map(({ id }) => id)).to.deep.equal(Array.from({ length: 20 }, (_, i) => `crowd-${i}`));
  });

  it('of visitors that name too many orders do not take the place of others', async () => {
    // 60 visitors name 30 orders each, of which one is stored, all of them nearer to its time than its own visitor.
    const visitor = `concat('flood-', toString(number % 60))`;
    await send(1_800, {
      visitor,
      order: `if(number < 60, 'busy', concat('guess-', toString(number)))`,
      at: `${AT} - number`,
    });
    await send(1, { visitor: `'customer'`, order: `'busy'`, at: `${AT} + 30000` });
    const [[only] = []] = await evidenceOf('busy');
    expect(only?.visitors.map(({ id }) => id)).to.deep.equal(['customer']);
  });

  it('of an order that is flooded with them are not read, and stop no other order', async () => {
    await send(30_000, { visitor: `concat('wave-', toString(number))`, order: `'flooded'`, at: `${AT} + 2 * number` });
    await send(30_000, { visitor: `concat('surge-', toString(number))`, order: `'flooded'`, at: `${AT} + 2 * number` });
    const [found = []] = await evidenceOf('flooded', 'busy');
    expect(found.map(({ orderId, visitors }) => [orderId, visitors.length]).sort()).to.deep.equal([
      ['busy', 1],
      ['flooded', 0],
    ]);
  });

  it('of a checkout token that many have tie nobody to an order', async () => {
    await send(1, { visitor: `'first'`, order: `'shared'`, checkout: `'one'` });
    await send(20, { visitor: `concat('sharer-', toString(number))`, checkout: `'one'` });
    const visitors = async (): Promise<unknown> =>
      (await evidenceOf('shared'))[0]?.[0]?.visitors.map(({ id }) => id).sort();
    expect(await visitors()).to.deep.equal(['first']);
    await send(1, { visitor: `'second'`, order: `'shared'`, checkout: `'two'` });
    await send(19, { visitor: `concat('joiner-', toString(number % 10))`, checkout: `'two'` });
    expect(await visitors())
      .to.have.length(12)
      .and.to.include.members(['second', 'joiner-9']);
  });

  it('are read for some orders at a time', async () => {
    for (const id of ['a', 'b', 'c']) {
      const visitor = `concat('${id}-', toString(number % 12))`;
      await send(48_000, { visitor, order: `if(number < 12, '${id}', '')` });
    }
    const groups = await evidenceOf('a', 'b', 'c');
    expect(groups.map((group) => group.length)).to.deep.equal([2, 1]);
    for (const { visitors } of groups.flat()) {
      expect(visitors.map(({ events }) => events.length)).to.deep.equal(Array.from({ length: 12 }, () => 4_000));
    }
  });

  it('mark what their visitor named within a day, all that an hour of it may still count for', async () => {
    const warehouse = service.stores.warehouse;
    await send(60, { visitor: `'namer'`, order: `concat('n-', toString(number))`, at: `${AT} - 1800000 * number` });
    const news: EventNews = {
      visitors: new Set(['namer']),
      orders: new Set(['n-0']),
      checkouts: new Set(),
      since: AT + 100 * 86_400_000,
      arrived: { from: AT, to: AT },
    };
    const marked = async (): Promise<string[]> =>
      (await ordersOfEvents(warehouse, new Map([[shop, news]]), 0)).map(({ id }) => id).sort();
    // Two in each half hour of 25 hours; the first is in the news itself.
    expect(await marked()).to.deep.equal(Array.from({ length: 51 }, (_, i) => `n-${i}`).sort());
    await send(500, { visitor: `'namer'`, order: `concat('m-', toString(number))`, at: `${AT} - 7200000 + number` });
    const after = await marked();
    expect(after.filter((id) => id.startsWith('n-'))).to.have.length.above(48);
    expect(after).to.have.length.below(51 + 22);
  });

  it('mark few of the orders that they tie to one checkout', async () => {
    await send(1_000, { visitor: `'shopper'`, order: `concat('o-', toString(number))`, checkout: `'token'` });
    const news: EventNews = {
      visitors: new Set(['nobody']),
      orders: new Set(),
      checkouts: new Set(['token']),
      since: AT,
      arrived: { from: AT, to: AT },
    };
    const marked = await ordersOfEvents(service.stores.warehouse, new Map([[shop, news]]), 0);
    expect(marked.map(({ id }) => id).sort()).to.deep.equal(Array.from({ length: 20 }, (_, i) => `o-${i}`).sort());
  });
});
