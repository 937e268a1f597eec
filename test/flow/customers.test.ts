import { expect } from 'chai';
import { download, readCsv } from '../support/exported.js';
import { paidOrder } from '../support/paid-order.js';
import { useService, type Shop } from '../support/service.js';

const MARCH = 'from=2026-03-01&to=2026-03-31';

const order = (order_id: string, customer: string | null, placed_at: string, total: string, fields: object = {}) =>
  paidOrder(order_id, {
    placed_at,
    total,
    line_items: [{ line_id: '1', quantity: '1', unit_price: total }],
    ...(customer !== null && { customer: { id: customer } }),
    ...fields,
  });
const costing = (unit_price: string, unit_cost: string) => ({
  line_items: [{ line_id: '1', quantity: '1', unit_price, unit_cost }],
});

/** Gateway x takes 2 % and 0.30. */
const ORDERS = [
  order('a1', 'A', '2026-02-10T12:00:00Z', '10', { payment_gateway: 'x', ...costing('10', '4') }),
  order('a2', 'A', '2026-03-05T12:00:00Z', '20', {
    gateway_fee: '1',
    ...costing('20', '5'),
    refunds: [{ refund_id: 'r', refunded_at: '2026-04-02T12:00:00Z', total: '3' }],
  }),
  // At one moment: the id decides, whichever arrives first.
  order('b2', 'B', '2026-03-01T12:00:00Z', '10', { payment_gateway: 'X' }),
  order('b1', 'B', '2026-03-01T12:00:00Z', '30'),
  order('n1', null, '2026-03-07T12:00:00Z', '5'),
  order('c0', 'C', '2026-03-02T12:00:00Z', '7', { is_test: true }),
  order('c1', 'C', '2026-03-09T12:00:00Z', '8'),
  order('d0', 'D', '2026-01-31T12:00:00Z', '9', { status: 'pending' }),
];

const MARCH_CUSTOMERS = {
  new_customers: 2,
  returning_customers: 2,
  orders_new: 2,
  orders_returning: 2,
  orders_unknown: 1,
  net_revenue_new: '38.00',
  net_revenue_returning: '27.00',
  profit_new: '38.00',
  profit_returning: '20.50',
  cac: '6.00',
};

describe('new and returning customers', () => {
  const service = useService();
  let shop: Shop;

  const push = async (to: Shop, orders: readonly object[]): Promise<void> => {
    const { body } = await to.call('POST', '/v1/orders', { orders });
    expect(body.rejected, JSON.stringify(body)).to.equal(0);
    await service.settled();
  };
  const read = async (path: string) => {
    const { status, body } = await shop.call('GET', path);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const customers = async (days = MARCH) => (await read(`/v1/metrics?${days}&include=customers`)).customers;

  before(async () => {
    shop = await service.shop({ timezone: 'Europe/Berlin' });
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'x', percent: '2', fixed: '0.3' }],
    });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [
        { channel: 'radio', event_date: '2026-02-15', currency: 'EUR', spend: '6' },
        { channel: 'radio', event_date: '2026-03-01', currency: 'EUR', spend: '12' },
      ],
    });
    await push(shop, ORDERS);
  });

  it('are told apart in the figures of a range, with what a new one cost', async () => {
    expect(await customers()).to.deep.equal(MARCH_CUSTOMERS);
    expect(await read(`/v1/metrics?${MARCH}`)).not.to.have.property('customers');
    expect(await customers('from=2026-02-01&to=2026-02-28')).to.deep.equal({
      new_customers: 1,
      returning_customers: 0,
      orders_new: 1,
      orders_returning: 0,
      orders_unknown: 0,
      net_revenue_new: '10.00',
      net_revenue_returning: '0.00',
      profit_new: '5.50',
      profit_returning: '0.00',
      cac: '6.00',
    });
    expect(await customers('from=2025-02-01&to=2025-02-28')).to.include({ new_customers: 0, cac: null });
  });

  it('also by day and by month, beside earlier days, and as a table', async () => {
    const { days } = await read(`/v1/metrics/daily?${MARCH}&include=customers`);
    expect(days[0].customers).to.deep.equal({
      ...MARCH_CUSTOMERS,
      new_customers: 1,
      returning_customers: 1,
      orders_new: 1,
      orders_returning: 1,
      orders_unknown: 0,
      net_revenue_new: '30.00',
      net_revenue_returning: '10.00',
      profit_new: '30.00',
      profit_returning: '9.50',
      cac: '12.00',
    });
    const months = await read('/v1/metrics/daily?from=2026-02-01&to=2026-03-31&by=month&include=customers&vs=before');
    const february = await customers('from=2026-02-01&to=2026-02-28');
    expect(months.days.map((month: { customers: object }) => month.customers)).to.deep.equal([
      february,
      MARCH_CUSTOMERS,
    ]);
    expect(months.compared.days[0].customers).to.include({ orders_new: 0, orders_unknown: 0 });
    const { compared } = await read(`/v1/metrics?${MARCH}&include=customers&vs=before`);
    expect(compared.customers).to.deep.equal(february);
    const { headers } = await service.call('GET', `/v1/metrics/daily?${MARCH}&include=customers`, {
      key: shop.key,
      headers: { Accept: 'text/csv' },
    });
    expect(headers.get('content-type')).to.contain('text/csv');
  });

  it('have their orders listed, with sums that are those of the figures', async () => {
    const list = async (query: string) => {
      const { orders, count, totals } = await read(`/v1/orders?${MARCH}&order=asc&${query}`);
      expect(count).to.equal(orders.length);
      return [orders.map(({ order_id }: { order_id: string }) => order_id), totals.profit];
    };
    expect(await list('customer=new')).to.deep.equal([['b1', 'c1'], MARCH_CUSTOMERS.profit_new]);
    expect(await list('customer=returning')).to.deep.equal([['b2', 'a2'], MARCH_CUSTOMERS.profit_returning]);
    expect(await list('customer=unknown')).to.deep.equal([['n1'], '5.00']);
    expect(await list('customer=new&customer_id=C&sort=profit')).to.deep.equal([['c1'], '8.00']);
    expect((await list('customer_id=C'))[0]).to.deep.equal(['c0', 'c1']);
    for (const none of ['customer=new&status=deleted', 'customer=new&counted=0', 'customer=unknown&status=pending']) {
      expect((await list(none))[0], none).to.deep.equal([]);
    }
    const paged = await read(`/v1/orders?${MARCH}&customer=new&limit=1`);
    const rest = await read(`/v1/orders?${MARCH}&customer=new&limit=1&cursor=${paged.next}`);
    expect([...paged.orders, ...rest.orders].map(({ order_id }) => order_id)).to.deep.equal(['c1', 'b1']);
    expect((await shop.call('GET', `/v1/orders?${MARCH}&customer=old`)).status).to.equal(400);
  });

  it('are cohorts by the month or quarter of their first order, with what they brought since', async () => {
    const RANGE = 'from=2026-02-01&to=2026-03-31';
    const { cohorts, ...range } = await read(`/v1/customers/cohorts?${RANGE}`);
    expect(range).to.deep.equal({ from: '2026-02-01', to: '2026-03-31', currency: 'EUR' });
    const month = (number: number, customers: number, orders: number, amounts: readonly string[], unknown = [0, 0]) => {
      const [net_revenue, profit, net_revenue_total, profit_total] = amounts;
      const [orders_without_cost, orders_without_fee] = unknown;
      const known = { orders, orders_without_cost, orders_without_fee };
      return { month: number, customers, ...known, net_revenue, profit, net_revenue_total, profit_total };
    };
    const [february, march] = cohorts;
    expect(february).to.deep.include({
      from: '2026-02-01',
      to: '2026-02-28',
      customers: 1,
      ad_spend: '6.00',
      cac: '6.00',
      payback_month: 1,
      orders_without_cost: 0,
      orders_without_fee: 0,
    });
    expect(february.months.slice(0, 3)).to.deep.equal([
      month(0, 1, 1, ['10.00', '5.50', '10.00', '5.50']),
      month(1, 1, 1, ['17.00', '11.00', '27.00', '16.50']),
      month(2, 0, 0, ['0.00', '0.00', '27.00', '16.50']),
    ]);
    expect(february.months.slice(1)).to.have.lengthOf(march.months.length);
    expect(march).to.deep.include({ customers: 2, ad_spend: '12.00', cac: '6.00', payback_month: 0 });
    expect(march).to.include({ orders_without_cost: 3, orders_without_fee: 2 });
    expect(march.months[0]).to.deep.equal(month(0, 2, 3, ['48.00', '47.50', '48.00', '47.50'], [3, 2]));
    const quarters = await read('/v1/customers/cohorts?from=2025-10-01&to=2026-03-31&by=quarter');
    expect(quarters.cohorts[0]).to.deep.include({ customers: 0, ad_spend: '0.00', cac: null, payback_month: null });
    expect(quarters.cohorts[1]).to.deep.include({ from: '2026-01-01', to: '2026-03-31', customers: 3, cac: '6.00' });
    expect(quarters.cohorts[1].months.slice(0, 2)).to.deep.equal([
      month(0, 3, 4, ['58.00', '53.00', '58.00', '53.00'], [3, 2]),
      month(1, 1, 1, ['17.00', '11.00', '75.00', '64.00']),
    ]);
    const lines = readCsv(await download(service, `/v1/customers/cohorts?${RANGE}`, shop.key, 'csv'));
    expect(lines).to.have.lengthOf([...february.months, ...march.months].length);
    expect(lines[1]).to.include({ from: '2026-02-01', cohort_customers: '1', month: '1', profit_total: '16.50' });
    await download(service, `/v1/customers/cohorts?${RANGE}`, shop.key, 'parquet');
    expect((await read('/v1/customers/cohorts?from=2021-04-01&to=2026-03-31')).cohorts.length).to.equal(60);
    const long = await shop.call('GET', '/v1/customers/cohorts?from=2021-03-01&to=2026-03-31&by=month');
    expect([long.status, long.body.errors[0].code]).to.deep.equal([400, 'range_too_long']);
  });

  it('are not known as of an earlier moment', async () => {
    const { status, body } = await shop.call(
      'GET',
      `/v1/metrics?${MARCH}&include=customers&as_of=2026-03-20T00:00:00Z`,
    );
    expect([status, body.errors[0].code, body.errors[0].field]).to.deep.equal([400, 'invalid_value', 'as_of']);
  });

  it('are restated when an older order arrives, is voided or deleted; another shop has its own', async () => {
    const other = await service.shop();
    await push(other, [order('c', 'C', '2026-01-01T12:00:00Z', '1')]);
    expect(await customers()).to.deep.equal(MARCH_CUSTOMERS);
    const older = (fields: object) => order('late', 'C', '2026-02-20T12:00:00Z', '1', fields);
    await push(shop, [older({ updated_at: '2026-03-20T00:00:00Z' })]);
    expect(await customers()).to.deep.equal({
      ...MARCH_CUSTOMERS,
      new_customers: 1,
      returning_customers: 3,
      orders_new: 1,
      orders_returning: 3,
      net_revenue_new: '30.00',
      net_revenue_returning: '35.00',
      profit_new: '30.00',
      profit_returning: '28.50',
      cac: '12.00',
    });
    await push(shop, [older({ status: 'voided', updated_at: '2026-03-21T00:00:00Z' })]);
    expect(await customers()).to.deep.equal(MARCH_CUSTOMERS);
    expect((await shop.call('DELETE', '/v1/orders/a1')).status).to.be.oneOf([200, 202, 204]);
    await service.settled();
    expect(await customers()).to.deep.equal({
      ...MARCH_CUSTOMERS,
      new_customers: 3,
      returning_customers: 1,
      orders_new: 3,
      orders_returning: 1,
      net_revenue_new: '55.00',
      net_revenue_returning: '10.00',
      profit_new: '49.00',
      profit_returning: '9.50',
      cac: '4.00',
    });
    await push(shop, [{ ...ORDERS[0], updated_at: new Date(Date.now() + 3_600_000).toISOString() }]);
    expect(await customers()).to.deep.equal(MARCH_CUSTOMERS);
  });

  it('are first by their moment where a clock that was set back at 00:01 gives a later order an earlier day', async () => {
    const own = await service.shop({ timezone: 'America/St_Johns' });
    await push(own, [order('f', 'F', '2010-11-07T02:30:30Z', '1'), order('g', 'F', '2010-11-07T03:00:00Z', '2')]);
    const find = (days: string) => own.call('GET', `/v1/orders?${days}`);
    expect((await find('from=2010-11-07&to=2010-11-07&customer=new')).body.orders[0]?.order_id).to.equal('f');
    expect((await find('from=2010-11-06&to=2010-11-06&customer=returning')).body.orders[0]?.order_id).to.equal('g');
  });
});
