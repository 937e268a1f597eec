import { expect } from 'chai';
import { SERIES, type Day } from '../../src/console/web/dashboard/series.js';

const DAY = {
  date: '2026-03-01',
  orders: 3,
  revenue: '1000.00',
  refunds: '100.10',
  net_revenue: '899.90',
  cogs: '200.000001',
  gateway_fees: '30.02',
  ad_spend: '4.30',
  net_profit: '665.579999',
  aov: '333.333333',
  mer: '0.0043',
  blended_roas: '232.55814',
  statement: { earnings: '600.079999' },
} as Day;

describe('the lines of the chart', () => {
  it('show what lies between revenue and profit: refunds, and the sum of all other costs', () => {
    expect(SERIES.map(({ label, of }) => [label, of(DAY)])).to.deep.equal([
      ['Revenue', '1000.00'],
      ['Refunds', '100.10'],
      // 1000 − 100.10 − 665.579999
      ['Costs', '234.320001'],
      ['Net profit', '665.579999'],
      ['Earnings', '600.079999'],
    ]);
  });
});
