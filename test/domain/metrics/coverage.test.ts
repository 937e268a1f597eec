import { expect } from 'chai';
import { percentage, toRangeCoverage } from '../../../src/domain/metrics/coverage.js';
import { fraction } from '../../../src/domain/money.js';
import { toSums } from '../../../src/domain/metrics/sums.js';

/** Two orders by a gateway with a rule, and one by another. */
const part = (sums: Record<string, string>) => ({
  sums: toSums(sums),
  estimable: [
    { gateway: 'my_bank', orders: 2, revenue: fraction('1') },
    { gateway: 'cash', orders: 1, revenue: fraction('1') },
  ],
});

describe('coverage', () => {
  it('gives percentages of at most two decimals, rounded half-up in integers', () => {
    expect(percentage(0, 0)).to.equal(null);
    expect(percentage(0, 7)).to.equal(0);
    expect(percentage(7, 7)).to.equal(100);
    expect(percentage(1, 3)).to.equal(33.33);
    expect(percentage(2, 3)).to.equal(66.67);
    expect(percentage(1, 8)).to.equal(12.5);
    expect(percentage(1, 16)).to.equal(6.25);
    expect(percentage(1, 32)).to.equal(3.13); // 3.125
    for (let part = 0; part <= 700; part++) {
      expect(String(percentage(part, 700))).to.match(/^\d{1,3}(\.\d{1,2})?$/);
    }
  });

  it('is 100 only when nothing is missing, however little that is', () => {
    expect(percentage(9_007_199_254_740_990, 9_007_199_254_740_991)).to.equal(99.99);
    expect(percentage(19_999, 20_000)).to.equal(99.99);
    expect(percentage(1, 9_007_199_254_740_991)).to.equal(0);
  });

  it('of a range weighs its parts by their orders, and adds up revenue exactly', () => {
    expect(
      toRangeCoverage({
        parts: [
          part({ orders: '3', orders_costed: '3', refunds_without_tax: '2' }),
          part({
            orders: '4',
            orders_fee_actual: '1',
            orders_fulfillment_known: '1',
            revenue_uncosted: '999999999999999.999999',
          }),
          part({ orders: '3', revenue_uncosted: '0.000001' }),
        ],
        rules: [{ payment_gateway: 'My Bank', percent: '0', fixed: '0' }],
        productsWithoutCost: 4,
      }),
    ).to.deep.equal({
      cogs_complete: 30,
      gateway_fee_actual: 10,
      tax_present: 0,
      fulfillment_known: 10,
      orders: 10,
      orders_without_cost: 7,
      products_without_cost: 4,
      orders_fee_estimated: 6,
      orders_without_fee: 3,
      orders_without_tax: 10,
      orders_without_fulfillment: 9,
      refunds_without_tax: 2,
      revenue_without_cost: '1000000000000000.00',
    });
    expect(toRangeCoverage({ parts: [], rules: [], productsWithoutCost: 0 })).to.include({
      cogs_complete: null,
      gateway_fee_actual: null,
      tax_present: null,
      revenue_without_cost: '0.00',
    });
  });
});
