import { expect } from 'chai';
import fc from 'fast-check';
import { amountOf, partsOf, ROWS, stepsTo } from '../../src/console/web/statement/rows.js';
import { verdictOf } from '../../src/console/web/statement/verdict.js';
import { addMoney, fromMicros } from '../../src/console/web/shared/money.js';
import { toMetrics, toStatement } from '../../src/domain/metrics/metrics.js';
import type { SumName } from '../../src/domain/metrics/sums.js';
import { fraction, minus, plus, type Fraction } from '../../src/domain/money.js';

describe('the statement', () => {
  const money = fc.bigInt(0n, 10n ** 12n).map((value) => fraction(fromMicros(value)));

  it('adds up in every column, to the last digit, and ends at the earnings', () => {
    fc.assert(
      fc.property(
        fc.array(money, { minLength: 16, maxLength: 16 }),
        ([refunds, cogs, fees, spend, expenses, ...rest]) => {
          const [zero, amounts] = [fraction('0'), rest];
          const part = (i: number) => amounts[i] ?? zero;
          const statement: Partial<Record<SumName, Fraction>> = {
            gross_sales: part(0),
            discounts: part(1),
            shipping: part(2),
            tips: part(3),
            duties: part(4),
            rounding_adjustment: part(5),
            tax_added: part(6),
            tax: part(7),
            tax_refunded: part(8),
            fulfillment_costs: part(9),
          };
          const added = [2, 3, 4, 5, 6].reduce((sum, i) => plus(sum, part(i)), part(0));
          const figures = {
            orders: 1,
            revenue: minus(added, part(1)),
            refunds: refunds ?? zero,
            cogs: cogs ?? zero,
            gatewayFees: fees ?? zero,
            adSpend: spend ?? zero,
            operatingExpenses: expenses ?? zero,
            total: (name: SumName) => statement[name] ?? zero,
          };
          const all = { ...toMetrics(figures), ...toStatement(figures) };
          let height = '0.00';
          for (const row of ROWS) {
            const amount = amountOf(row, all);
            if (row.kind === 'sum' || row.kind === 'last') expect(amount, row.key).to.equal(height);
            else height = addMoney(height, amount);
            const parts = partsOf(row).map((one) => amountOf(one, all));
            if (parts.length > 0) expect(addMoney(...parts)).to.equal(amount);
          }
          expect(height).to.equal(all.earnings);
        },
      ),
    );
  });

  it('is at most what it says while costs or taxes are not known, and at least while refunded tax is not', () => {
    const known = {
      orders: 20,
      orders_without_cost: 0,
      orders_fee_estimated: 0,
      orders_without_fee: 0,
      orders_without_tax: 0,
      orders_without_fulfillment: 0,
      refunds_without_tax: 0,
    };
    expect(verdictOf(known)).to.deep.equal({ word: '', gaps: [], estimates: [] });
    expect(verdictOf({ ...known, orders_fee_estimated: 20 })).to.deep.equal({
      word: '',
      gaps: [],
      estimates: ['the payment fee of all 20 orders'],
    });
    expect(verdictOf(known, ['ads in USD'])).to.deep.include({ word: 'at most', gaps: ['ads in USD'] });
    expect(verdictOf({ ...known, orders: 0 }).word).to.equal('');
    expect(verdictOf({ ...known, orders_without_fulfillment: 19 }).word).to.equal('at most');
    expect(verdictOf({ ...known, orders_without_fee: 20 })).to.deep.include({
      word: 'at most',
      gaps: ['the payment fee of all 20 orders'],
    });
    expect(verdictOf({ ...known, refunds_without_tax: 1 })).to.deep.include({
      word: 'at least',
      gaps: ['the tax of 1 refund'],
    });
    expect(verdictOf({ ...known, orders_without_cost: 19, refunds_without_tax: 2 })).to.deep.include({
      word: 'incomplete',
      gaps: ['product costs of 19 of 20 orders', 'the tax of 2 refunds'],
    });
    expect(verdictOf({ ...known, orders_without_cost: 1, orders_without_tax: 20 })).to.deep.include({
      word: 'at most',
      gaps: ['product costs of 1 of 20 orders', 'the tax of all 20 orders'],
    });
  });

  it('shows how each sum comes about from the lines before it', () => {
    expect(
      stepsTo('net_profit')
        ?.map(({ key }) => key)
        .slice(-3),
    ).to.deep.equal(['gateway_fees', 'ad_spend', 'net_profit']);
    expect(stepsTo('other')?.map(({ key }) => key)).to.deep.equal([
      'shipping',
      'tips',
      'duties',
      'rounding_adjustment',
      'other',
    ]);
    expect(stepsTo('refunds')).to.equal(null);
    expect(stepsTo('nothing')).to.equal(null);
  });
});
