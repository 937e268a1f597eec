import { expect } from 'chai';
import fc from 'fast-check';
import {
  accrual,
  accrualOfEach,
  EXPENSE_FREQUENCIES,
  volumeBounds,
  type AccruingExpense,
} from '../../../src/domain/costs/expenses.js';
import { formatDecimal, fraction, isZero, minus, whole } from '../../../src/domain/money.js';
import { parseDay } from '../../../src/domain/time.js';

const day = (text: string): number => parseDay(text) ?? NaN;
const range = (from: string, to: string) => ({ from: day(from), to: day(to) });

const expense = (fields: Partial<AccruingExpense> = {}): AccruingExpense => ({
  amount: '100',
  frequency: 'monthly',
  startedOn: day('2024-01-01'),
  endedOn: null,
  ...fields,
});

describe('accrued expenses', () => {
  const over = (item: AccruingExpense, from: string, to: string, orders = 0, revenue = 0): string => {
    const days = range(from, to);
    return formatDecimal(
      accrual([item], days)(days, [{ day: days.from, sums: { orders: whole(orders), revenue: whole(revenue) } }]),
    );
  };

  it('add up to the whole amount over a whole month, week and year, in leap years too', () => {
    expect(over(expense(), '2024-02-01', '2024-02-29')).to.equal('100.00');
    expect(over(expense(), '2025-02-01', '2025-02-28')).to.equal('100.00');
    expect(over(expense({ frequency: 'weekly' }), '2024-02-26', '2024-03-03')).to.equal('100.00');
    expect(over(expense({ frequency: 'yearly' }), '2024-01-01', '2024-12-31')).to.equal('100.00');
    expect(over(expense({ frequency: 'yearly' }), '2025-01-01', '2025-12-31')).to.equal('100.00');
  });

  it('take the length of each month and year from the day itself', () => {
    // 100/29 + 100/31
    expect(over(expense(), '2024-02-29', '2024-03-01')).to.equal('6.674082');
    // 100/366 + 100/365
    expect(over(expense({ frequency: 'yearly' }), '2024-12-31', '2025-01-01')).to.equal('0.547197');
  });

  it('start and end on their days, inclusively', () => {
    const week = expense({
      frequency: 'weekly',
      startedOn: day('2024-03-10'),
      endedOn: day('2024-03-10'),
      amount: '7',
    });
    expect(over(week, '2024-03-10', '2024-03-10')).to.equal('1.00');
    expect(over(week, '2024-03-01', '2024-03-31')).to.equal('1.00');
    expect(over(week, '2024-03-01', '2024-03-09')).to.equal('0.00');
    expect(over(week, '2024-03-11', '2024-03-31')).to.equal('0.00');
  });

  it('of one time count whole on the first day, whatever the last', () => {
    const once = expense({ frequency: 'one_time', startedOn: day('2024-03-10'), endedOn: day('2024-04-10') });
    expect(over(once, '2024-03-10', '2024-03-10')).to.equal('100.00');
    expect(over(once, '2024-03-11', '2024-04-10')).to.equal('0.00');
  });

  it('come one by one to what each comes to alone, to the last digit', () => {
    const days = range('2024-02-20', '2024-03-10');
    const around = fc.integer({ min: days.from - 9, max: days.to + 9 });
    const amount = fc.integer({ min: 0, max: 10 ** 9 }).map((micros) => (micros / 10 ** 6).toFixed(6));
    const any = fc.record({
      amount,
      frequency: fc.constantFrom(...EXPENSE_FREQUENCIES),
      startedOn: around,
      endedOn: fc.option(around),
    });
    const sold = fc.record({ orders: fc.nat(9), revenue: amount });
    const length = days.to - days.from + 1;
    const sales = fc.array(fc.option(sold), { minLength: length, maxLength: length });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 9 }), sales, (expenses, soldOn) => {
        const parts = soldOn.flatMap((one, i) =>
          one === null
            ? []
            : { day: days.from + i, sums: { orders: whole(one.orders), revenue: fraction(one.revenue) } },
        );
        const each = accrualOfEach(days, parts);
        for (const one of expenses)
          expect(isZero(minus(each(one), accrual([one], days)(days, parts))), JSON.stringify(one)).to.equal(true);
      }),
    );
  });

  it('follow orders and revenue', () => {
    expect(over(expense({ frequency: 'per_order', amount: '0.333333' }), '2024-03-01', '2024-03-31', 3)).to.equal(
      '0.999999',
    );
    const share = expense({ frequency: 'percent_of_revenue', amount: '2.5' });
    expect(over(share, '2024-03-01', '2024-03-31', 3, 199)).to.equal('4.975');
  });

  it('cut the range only where an expense that goes by sales starts or has ended', () => {
    const items = [
      expense({ frequency: 'per_order', startedOn: day('2024-03-05'), endedOn: day('2024-03-07') }),
      expense({ frequency: 'percent_of_revenue', startedOn: day('2024-03-08'), endedOn: day('2024-03-31') }),
      expense({ frequency: 'percent_of_revenue', startedOn: day('2024-03-01') }),
      expense({ frequency: 'weekly', startedOn: day('2024-03-20') }),
    ];
    expect(volumeBounds(items, range('2024-03-01', '2024-03-31'))).to.deep.equal([
      day('2024-03-05'),
      day('2024-03-08'),
    ]);
  });
});
