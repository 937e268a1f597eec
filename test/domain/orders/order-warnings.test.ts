import { expect } from 'chai';
import { orderWarnings } from '../../../src/domain/orders/order-warnings.js';
import { MAX_WARNINGS } from '../../../src/domain/orders/warning-codes.js';
import type { OrderInput } from '../../../src/domain/orders/orders.js';

const base: OrderInput = {
  order_id: '1',
  placed_at: '2026-03-01T09:00:00+01:00',
  currency: 'EUR',
  status: 'paid',
  line_items: [
    { line_id: 'a', quantity: '2', unit_price: '5' },
    { line_id: 'b', quantity: '0.5', unit_price: '4' },
  ],
  tax: '2',
  gateway_fee: '1',
  total: '14',
};
const refund = (fields: object) => ({ refund_id: 'r', refunded_at: '2026-03-02T00:00:00Z', total: '0', ...fields });
const told = (fields: Partial<OrderInput>): string[] =>
  orderWarnings({ ...base, ...fields }).map(({ code, field }) => `${code} ${field}`);

describe('the warnings of an order', () => {
  const cases: [string, Partial<OrderInput>, string[]][] = [
    ['an order without refunds', {}, []],
    ['tax of exactly the total', { tax: '14.00' }, []],
    ['tax over the total', { tax: '14.000001' }, ['tax_exceeds_total tax']],
    ['a fee of exactly the total', { gateway_fee: '14' }, []],
    ['a fee over the total', { gateway_fee: '14.01' }, ['fee_exceeds_total gateway_fee']],
    ['refunds of exactly the total', { refunds: [refund({ total: '4' }), refund({ total: '10' })] }, []],
    [
      'refunds over the total, at the one that exceeds it',
      { refunds: [refund({ total: '4' }), refund({ total: '10.01' }), refund({ total: '1' })] },
      ['refund_exceeds_total refunds[1].total'],
    ],
    ['refunded tax of exactly the tax', { refunds: [refund({ tax_refund: '2' })] }, []],
    [
      'refunded tax over the tax',
      { refunds: [refund({ tax_refund: '1' }), refund({ tax_refund: '1.5' })] },
      ['tax_refund_exceeds_tax refunds[1].tax_refund'],
    ],
    [
      'refunded tax over a tax of 0',
      { tax: '0', refunds: [refund({ tax_refund: '0.01' })] },
      ['tax_refund_exceeds_tax refunds[0].tax_refund'],
    ],
    [
      'a refunded fee over the fee',
      { refunds: [refund({ gateway_fee_refund: '1.2' })] },
      ['fee_refund_exceeds_fee refunds[0].gateway_fee_refund'],
    ],
    ['a refund at the moment of the order', { refunds: [refund({ refunded_at: '2026-03-01T08:00:00Z' })] }, []],
    [
      'a refund before the order',
      { refunds: [refund({}), refund({ refunded_at: '2026-03-01T08:59:59+01:00' })] },
      ['refund_before_order refunds[1].refunded_at'],
    ],
    [
      'all units of a line in two refunds',
      {
        refunds: [
          refund({ line_items: [{ line_id: 'a', quantity: '1.5' }] }),
          refund({
            line_items: [
              { line_id: 'b', quantity: '0.5' },
              { line_id: 'a', quantity: '0.5' },
            ],
          }),
        ],
      },
      [],
    ],
    [
      'more units than sold over all refunds of a line',
      {
        refunds: [
          refund({ line_items: [{ line_id: 'a', quantity: '1.5' }] }),
          refund({
            line_items: [
              { line_id: 'b', quantity: '0.5' },
              { line_id: 'a', quantity: '0.500001' },
            ],
          }),
          refund({ line_items: [{ line_id: 'a', quantity: '1' }] }),
        ],
      },
      ['refund_exceeds_quantity refunds[1].line_items[1].quantity'],
    ],
  ];
  for (const [title, fields, expected] of cases) {
    it(title, () => {
      expect(told(fields)).to.deep.equal(expected);
    });
  }

  it('compares nothing with a tax or fee that is not known', () => {
    const { tax, gateway_fee, ...unknown } = base;
    const refunds = [refund({ tax_refund: tax, gateway_fee_refund: gateway_fee })];
    expect(orderWarnings({ ...unknown, refunds })).to.deep.equal([]);
  });

  it('says both values', () => {
    const refunds = [refund({ total: '10' }), refund({ total: '5.5', line_items: [{ line_id: 'a', quantity: '3' }] })];
    expect(orderWarnings({ ...base, refunds }).map(({ message }) => message)).to.deep.equal([
      'total of all refunds is 15.50, more than total of the order, 14.',
      'quantity of all refunds of line "a" is 3.00, more than the 2 sold.',
    ]);
  });

  it('are at most ten', () => {
    const refunds = Array.from({ length: 500 }, () => refund({ refunded_at: '2026-02-01T00:00:00Z' }));
    expect(orderWarnings({ ...base, refunds })).to.have.length(MAX_WARNINGS);
  });
});
