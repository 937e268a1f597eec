import { expect } from 'chai';
import { analystsOf } from '../support/bi-proxy.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

describe('numbers of the orders of a customer in bi', function () {
  this.timeout(120_000);
  const service = useService();

  it('follow the moments of counted orders, whatever comes later, is voided, deleted or given to another customer', async () => {
    const shop = await service.shop();
    const rows = analystsOf(service.stores, sharedBiProxy);
    let version = 0;
    const orderOf = (order_id: string, time: string, fields: Record<string, unknown> = {}) => {
      const updated_at = new Date(Date.parse('2026-03-10T00:00:00Z') + ++version * 60_000).toISOString();
      return {
        order_id,
        currency: 'EUR',
        status: 'paid',
        total: '10',
        placed_at: `2026-03-0${time}:00Z`,
        updated_at,
        line_items: [{ line_id: '1', quantity: '1', unit_price: '10', sku: 'A' }],
        customer: { id: 'c' },
        ...fields,
      };
    };
    const push = async (...of: Parameters<typeof orderOf>): Promise<void> => {
      expect((await shop.call('POST', '/v1/orders', { orders: [orderOf(...of)] })).body).to.include({ rejected: 0 });
    };
    const numbers = async (): Promise<string> => {
      await service.settled();
      const numbersOf = (view: string) =>
        rows(
          shop,
          `SELECT order_id, customer_order_number AS number, is_first_order = (number = 1) AS same
           FROM bi.${view} ORDER BY order_id`,
        );
      const found = await numbersOf('customer_orders');
      expect(await numbersOf('order_profit')).to.deep.equal(found);
      expect(await numbersOf('orders WHERE counted')).to.deep.equal(found);
      expect((await numbersOf('orders WHERE NOT counted')).every(({ number }) => number === null)).to.equal(true);
      expect(found.every(({ number, same }) => same === (number === null ? null : 1))).to.equal(true);
      return found.map(({ order_id, number }) => `${String(order_id)}:${String(number)}`).join(' ');
    };

    // Orders of a customer of the same id in another shop are not of this one.
    const other = await service.shop();
    expect((await other.call('POST', '/v1/orders', { orders: [orderOf('0', '1T08:00')] })).body).to.include({
      rejected: 0,
    });
    // Of one day the earlier moment comes first, of one moment the smaller id.
    await push('a', '2T18:00');
    await push('b', '2T09:00');
    await push('d', '3T09:00');
    await push('e', '3T09:00');
    await push('t', '1T09:00', { is_test: true });
    await push('u', '1T09:00', { customer: undefined });
    expect(await numbers()).to.equal('a:2 b:1 d:3 e:4 u:null');
    await push('older', '1T12:00');
    expect(await numbers()).to.equal('a:3 b:2 d:4 e:5 older:1 u:null');
    await push('b', '2T09:00', { status: 'voided' });
    expect(await numbers()).to.equal('a:2 d:3 e:4 older:1 u:null');
    await push('a', '2T18:00', { customer: { id: 'C' } });
    expect(await numbers()).to.equal('a:1 d:2 e:3 older:1 u:null');
    await push('older', '4T12:00');
    await push('b', '2T09:00');
    expect(await numbers()).to.equal('a:1 b:1 d:2 e:3 older:4 u:null');
    await push('b', '2T09:00', { deleted: true });
    expect(await numbers()).to.equal('a:1 d:1 e:2 older:3 u:null');
  });

  it('are told of one customer of 50,000 orders, as a till has it', async () => {
    const shop = await service.shop();
    await service.stores.warehouse.command(
      `INSERT INTO order_facts (shop_id, day, placed_day, order_id, version, orders, status, is_listed, placed_at, customer_id)
       SELECT {shop:String}, toDate('2025-01-01') + number % 365 AS day, day, leftPad(toString(number), 5, '0'), 1, 1, 'paid', 1,
         toDateTime64(day, 6, 'UTC') + intDiv(number, 365), 'till' FROM numbers(50000)`,
      { shop: shop.id },
    );
    const rows = analystsOf(service.stores, sharedBiProxy);
    const [last] = await rows(
      shop,
      `SELECT count() AS orders, uniqExact(customer_order_number) AS numbers, argMax(order_id, customer_order_number) AS id
       FROM bi.customer_orders`,
    );
    expect(last).to.deep.equal({ orders: '50000', numbers: '50000', id: '49639' });
  });
});
