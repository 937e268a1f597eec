import { expect } from 'chai';
import { createReasons } from '../../../src/cli/import/reasons.js';

const rejected = (...errors: { code: string; message: string; field?: string }[]) => ({
  line: 1,
  orderId: null,
  errors,
  order: '{}',
});

describe('reasons of rejections', () => {
  it('counts lines by code and field, and shows the three most frequent with a sample', () => {
    const reasons = createReasons();
    const price = (index: number) => ({
      code: 'invalid_money',
      message: `Line ${index} costs nothing.`,
      field: `line_items[${index}].unit_price`,
    });
    // One line with two such faults is one line.
    for (let i = 0; i < 5; i++) reasons.add([rejected(price(0), price(1))]);
    for (let i = 0; i < 9; i++) reasons.add([rejected({ code: 'sum_mismatch', message: 'No.' })]);
    reasons.add([rejected({ code: 'missing_field', message: 'a'.repeat(500), field: 'total' })]);
    reasons.add([rejected({ code: 'zzz', message: 'Rare.' })]);
    expect(reasons.top()).to.deep.equal([
      '      9  sum_mismatch: No.',
      '      5  invalid_money (line_items[].unit_price): Line 0 costs nothing.',
      `      1  missing_field (total): ${'a'.repeat(160)}`,
    ]);
  });

  it('keeps a bounded number of kinds', () => {
    const reasons = createReasons();
    // So many that the test would not end if each were compared with all those before it.
    for (let i = 0; i < 1_000_000; i++)
      reasons.add([rejected({ code: 'unknown_field', message: 'No.', field: `f${i}` })]);
    // What comes once there are so many is counted no more, however frequent it is.
    for (let i = 0; i < 3; i++) reasons.add([rejected({ code: 'late', message: 'No.' })]);
    expect(reasons.top()).to.have.length(3);
    expect(reasons.top().join()).not.to.include('late');
  });
});
