import { Big } from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import type { Statement } from '../../src/schemas/metrics.js';
import { download, readCsv } from '../support/exported.js';
import { useFreshShop, useService } from '../support/service.js';
import { addedOf, big, discountsOf, grossOf, referenceStatement, sum } from '../support/statement-reference.js';

const RANGE = 'from=2026-03-01&to=2026-03-03';
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];
const ORDER = { placed_at: '2026-03-01T12:00:00Z', currency: 'EUR', status: 'paid' as const };

const amount = (max: number, digits = 6): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: max * 10 ** digits }).map((value) =>
    Big(value)
      .div(10 ** digits)
      .toFixed(),
  );
const day = fc.constantFrom(...DAYS).map((date) => `${date}T12:00:00Z`);

const line = fc.record(
  { quantity: amount(5, 3), unit_price: amount(50, 3), line_discount: amount(10) },
  { requiredKeys: ['quantity', 'unit_price'] },
);
const refund = fc.record(
  { refunded_at: day, total: amount(20), tax_refund: amount(3) },
  { requiredKeys: ['refunded_at', 'total'] },
);
/** Large enough a shipping that no total is negative. */
const shipping = amount(20).map((text) => Big(text).plus(100).toFixed());
const orderParts = fc.record(
  {
    placed_at: day,
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    discounts: amount(30),
    shipping,
    tips: amount(5),
    duties: amount(9),
    rounding_adjustment: amount(1),
    tax: amount(40),
    taxes_included: fc.boolean(),
    fulfillment_cost: amount(12),
    refunds: fc.array(refund, { maxLength: 2 }),
  },
  { requiredKeys: ['placed_at', 'lines', 'shipping', 'taxes_included', 'refunds'] },
);

const order = orderParts.map(({ lines, refunds, ...parts }): Omit<OrderInput, 'order_id'> => {
  const made: OrderInput = {
    ...ORDER,
    ...parts,
    order_id: '',
    line_items: lines.map((each, i) => ({ ...each, line_id: String(i) })),
    total: '0',
    refunds: refunds.map((each, i) => ({ ...each, refund_id: String(i) })),
  };
  const extras = sum([parts.shipping, parts.tips, parts.duties, parts.rounding_adjustment].map(big));
  const total = grossOf(made).minus(discountsOf(made)).plus(extras).plus(addedOf(made)).toFixed();
  return { ...made, total };
});

const plain = (statement: Statement): Record<string, string> =>
  Object.fromEntries(Object.entries(statement).map(([name, value]) => [name, Big(value).toFixed()]));

describe('the statement', () => {
  const service = useService();
  const shop = useFreshShop(service, { timezone: 'UTC' });

  const push = async (orders: readonly object[]): Promise<void> => {
    const { body } = await shop.call('POST', '/v1/orders', { orders });
    expect(body.rejected, JSON.stringify(body)).to.equal(0);
    await service.settled();
  };
  const read = async (path: string) => (await shop.call('GET', path)).body;

  it('takes the collected tax off: an order of 119.00 at 19 % that cost 40.00 earns 60.00', async () => {
    await push([
      {
        ...ORDER,
        order_id: '1',
        total: '119.00',
        tax: '19.00',
        taxes_included: true,
        line_items: [{ line_id: '1', quantity: '1', unit_price: '119.00', unit_cost: '40.00' }],
      },
    ]);
    const body = await read(`/v1/metrics?${RANGE}&include=statement`);
    expect(body).to.include({ net_profit: '79.00' }).and.not.to.have.any.keys('operating_expenses', 'coverage');
    expect(body.statement).to.deep.equal({
      gross_sales: '119.00',
      discounts: '0.00',
      shipping: '0.00',
      tips: '0.00',
      duties: '0.00',
      rounding_adjustment: '0.00',
      tax_added: '0.00',
      tax: '19.00',
      tax_refunded: '0.00',
      taxes: '19.00',
      fulfillment_costs: '0.00',
      operating_expenses: '0.00',
      earnings: '60.00',
    });
    expect(await read(`/v1/metrics?${RANGE}`)).not.to.have.property('statement');
  });

  it('takes operating expenses off, and is joined with what else is included', async () => {
    const expense = { external_id: 'rent', name: 'Rent', category: 'other', amount: '10', currency: 'EUR' };
    const { status } = await shop.call('POST', '/v1/costs/expenses', {
      ...expense,
      frequency: 'one_time',
      started_on: '2026-03-02',
    });
    expect(status).to.equal(201);
    const body = await read(`/v1/metrics?${RANGE}&include=statement,expenses,coverage`);
    expect(body)
      .to.include({ net_profit: '0.00', net_profit_after_expenses: '-10.00' })
      .and.to.have.property('coverage');
    expect(body.statement).to.include({ operating_expenses: '10.00', earnings: '-10.00' });
  });

  it('of random orders is their sums, adds up to the revenue, and was the same at a moment before', async () => {
    const orders = fc.sample(order, 60).map((each, i): OrderInput => ({ ...each, order_id: String(i) }));
    await push(orders);
    const moment = new Date().toISOString();
    const { days } = await read(`/v1/metrics/daily?${RANGE}&include=statement`);
    for (const each of days as { date: string; revenue: string; statement: Statement }[]) {
      expect(plain(each.statement), each.date).to.deep.equal(referenceStatement(orders, [each.date], 'UTC'));
    }
    const body = await read(`/v1/metrics?${RANGE}&include=statement`);
    const all = referenceStatement(orders, DAYS, 'UTC');
    expect(plain(body.statement)).to.deep.equal(all);
    const { gross_sales, discounts, shipping: paid, tips, duties, rounding_adjustment, tax_added } = body.statement;
    const parts = [gross_sales, paid, tips, duties, rounding_adjustment, tax_added].map((text: string) => Big(text));
    expect(sum(parts).minus(discounts).toFixed()).to.equal(Big(body.revenue).toFixed());

    await push(orders.map((each) => ({ ...each, updated_at: '2026-03-04T00:00:00Z', deleted: true })));
    expect((await read(`/v1/metrics?${RANGE}&include=statement`)).statement).to.include({
      gross_sales: '0.00',
      tax: '0.00',
    });
    const then = await read(`/v1/metrics?${RANGE}&include=statement&as_of=${moment}`);
    expect(plain(then.statement)).to.deep.equal(all);
  });

  it('is exported in columns of its own', async () => {
    await push([
      {
        ...ORDER,
        order_id: '1',
        total: '5',
        tips: '5',
        line_items: [{ line_id: '1', quantity: '1', unit_price: '0' }],
      },
    ]);
    const path = `/v1/metrics/daily?${RANGE}&include=statement`;
    const [first = {}] = readCsv(await download(service, path, shop.key, 'csv'));
    const { revenue, statement_tips: tips, statement_earnings: earnings } = first;
    expect([revenue, tips, earnings].map(Number)).to.deep.equal([5, 5, 5]);
    expect(Object.keys(first).join(' ')).not.to.match(/coverage|net_profit_after_expenses/);
  });

  it('has its definitions after those of the metrics, in its order', async () => {
    const { metrics } = await read('/v1/metrics/definitions');
    const { statement } = await read(`/v1/metrics?${RANGE}&include=statement`);
    expect(metrics.slice(11).map(({ key }: { key: string }) => key)).to.deep.equal(Object.keys(statement));
  });

  it('counts the fulfillment cost of an order, which its detail shows, and refunds that do not say their tax', async () => {
    const lines = { line_items: [{ line_id: '1', quantity: '1', unit_price: '10' }], total: '10' };
    const back = { refund_id: '1', refunded_at: '2026-03-02T12:00:00Z', total: '2' };
    await push([
      { ...ORDER, ...lines, order_id: '1', fulfillment_cost: '4.50', tax: '1', taxes_included: true, refunds: [back] },
      { ...ORDER, ...lines, order_id: '2' },
    ]);
    const detail = await read('/v1/orders/1');
    expect(detail).to.include({ fulfillment_cost: '4.50' });
    expect(detail.refunds[0]).not.to.have.property('tax_refund');
    expect(await read('/v1/orders/2')).not.to.have.property('fulfillment_cost');
    const { statement } = await read(`/v1/metrics?${RANGE}&include=statement`);
    expect(statement).to.include({ fulfillment_costs: '4.50', taxes: '1.00', earnings: '12.50' });
    const refused = await shop.call('POST', '/v1/orders', {
      orders: [{ ...ORDER, ...lines, order_id: '3', fulfillment_cost: 4.5 }],
    });
    expect(refused.body.results[0].errors[0]).to.include({ code: 'money_must_be_string', field: 'fulfillment_cost' });
  });
});
