import { expect } from 'chai';
import { cardsOf, formatMetric, widthInEms } from '../../src/console/web/dashboard/metric.js';
import { METRIC_DEFINITIONS } from '../../src/domain/metrics/metrics.js';

describe('metrics in the pages', () => {
  it('begin with both profits; every other figure of the catalogue follows once', () => {
    const names = cardsOf(METRIC_DEFINITIONS).map(({ key }) => key);
    expect(names.slice(0, 2)).to.deep.equal(['net_profit', 'net_profit_after_expenses']);
    expect(names.slice(2, 10)).to.deep.equal([
      'revenue',
      'refunds',
      'net_revenue',
      'orders',
      'cogs',
      'gateway_fees',
      'ad_spend',
      'operating_expenses',
    ]);
    expect(new Set(names)).to.have.property('size', METRIC_DEFINITIONS.length + 2);
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
