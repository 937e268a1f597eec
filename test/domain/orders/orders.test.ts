import { expect } from 'chai';
import { isCounted, orderDays, orderTimes, orderVersion, type OrderInput } from '../../../src/domain/orders/orders.js';
import { formatDay } from '../../../src/domain/time.js';
import { localDayIn } from '../../../src/domain/zones/local-day.js';

const order = (fields: Partial<OrderInput> = {}): OrderInput => ({
  order_id: '1',
  placed_at: '2026-03-01T23:30:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [
    { line_id: 'a', quantity: '2', unit_price: '5' },
    { line_id: 'b', quantity: '1', unit_price: '1' },
  ],
  total: '11',
  ...fields,
});
const days = (input: OrderInput, zone = 'UTC') =>
  orderDays(input, orderTimes(input, localDayIn(zone))).map(({ day, orders, refunds, lines }) => ({
    day: formatDay(day),
    orders,
    refunds: refunds.map(({ refund }) => refund.refund_id),
    lines: lines.map(({ line, quantity, restock }) => `${restock ? '-' : ''}${quantity}×${line.line_id}`),
  }));

describe('what an order contributes', () => {
  it('is its total and lines on the local day of its placing', () => {
    const sale = { orders: 1, refunds: [], lines: ['2×a', '1×b'] };
    expect(days(order())).to.deep.equal([{ day: '2026-03-01', ...sale }]);
    expect(days(order(), 'Europe/Berlin')).to.deep.equal([{ day: '2026-03-02', ...sale }]);
  });

  it('is each refund on its own local day, with the lines that went back in stock', () => {
    const refunds = [
      { refund_id: 'r', refunded_at: '2026-03-05T10:00:00Z', total: '5', line_items: [{ line_id: 'a', quantity: '1', restock: true }, { line_id: 'b', quantity: '1' }] },
      { refund_id: 's', refunded_at: '2026-03-05T23:30:00+05:00', total: '1' },
      { refund_id: 't', refunded_at: '2026-03-01T23:45:00Z', total: '1', line_items: [{ line_id: 'b', quantity: '1', restock: true }] },
    ]; // prettier-ignore
    expect(days(order({ refunds }))).to.deep.equal([
      { day: '2026-03-01', orders: 1, refunds: ['t'], lines: ['2×a', '1×b', '-1×b'] },
      { day: '2026-03-05', orders: 0, refunds: ['r', 's'], lines: ['-1×a'] },
    ]);
  });

  it('is nothing, on its placed day, where the order does not count', () => {
    const refunds = [{ refund_id: 'r', refunded_at: '2026-03-05T10:00:00Z', total: '5' }];
    for (const fields of [{ status: 'pending' }, { status: 'voided' }, { is_test: true }, { deleted: true }] as const) {
      expect(isCounted(order(fields))).to.equal(false);
      expect(days(order({ ...fields, refunds }))).to.deep.equal([
        { day: '2026-03-01', orders: 0, refunds: [], lines: [] },
      ]);
    }
    expect(isCounted(order({ is_test: false, deleted: false }))).to.equal(true);
  });

  it('takes its version from updated_at, else from placed_at', () => {
    expect(orderVersion(order())).to.equal(Date.UTC(2026, 2, 1, 23, 30) * 1000);
    expect(orderVersion(order({ updated_at: '2026-03-02T00:00:00.000001Z' }))).to.equal(
      Date.UTC(2026, 2, 2) * 1000 + 1,
    );
  });
});
