import { expect } from 'chai';
import { cardsOf, formatMetric, widthInEms } from '../../src/console/web/dashboard/metric.js';
import { METRIC_DEFINITIONS } from '../../src/domain/metrics/metrics.js';
import { STATEMENT_DEFINITIONS } from '../../src/domain/metrics/statement.js';

describe('metrics in the pages', () => {
  it('begin with the earnings; the metrics object and the expenses follow once', () => {
    const names = cardsOf([...METRIC_DEFINITIONS, ...STATEMENT_DEFINITIONS]).map(({ key }) => key);
    expect(names).to.deep.equal([
      'earnings',
      'revenue',
      'refunds',
      'net_revenue',
      'orders',
      'cogs',
      'gateway_fees',
      'ad_spend',
      'net_profit',
      'aov',
      'mer',
      'blended_roas',
      'operating_expenses',
    ]);
  });

  it('are shown as what they are, differences with a sign', () => {
    expect(formatMetric('orders', 1200, 'EUR')).to.match(/^1\D200$/);
    expect(formatMetric('orders', '3.00', 'EUR', 'exceptZero')).to.equal('+3');
    expect(formatMetric('mer', '0.123456', 'EUR')).to.match(/^0\D123$/);
    expect(formatMetric('aov', null, 'EUR')).to.equal('–');
    expect(formatMetric('revenue', '12.50', 'EUR', 'exceptZero')).to.match(/^\+.*12\D50/);
  });

  it('count a digit as wider than what stands between digits', () => {
    expect(widthInEms('1111')).to.be.greaterThan(widthInEms('1,1.'));
  });
});
