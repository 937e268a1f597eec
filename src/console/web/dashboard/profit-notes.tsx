import { formatMoney } from '../shared/money.js';
import type { MetricsAnswer } from './answers.js';

/** Says what the profit leaves out because nobody told the service what the goods cost. */
export function UnknownCosts({ coverage, currency }: MetricsAnswer) {
  if (coverage.cogs_complete === null || coverage.cogs_complete === 100) return null;
  return (
    <p class="warn">
      <strong class="amount">{formatMoney(coverage.revenue_without_cost, currency)}</strong> of revenue is from orders
      with an unknown product cost. It counts as 0 here, so the real profit is lower.{' '}
      <a href="#completeness">How complete the costs are</a>
    </p>
  );
}

/** Says that the two profits are the same for want of expenses, not because there are none. */
export function NoExpenses({ shop, now }: { shop: string; now: MetricsAnswer }) {
  if (now.operating_expenses !== '0.00') return null;
  return (
    <p class="change">
      No operating expenses are known for these days.{' '}
      <a href={`/developers?shop=${encodeURIComponent(shop)}#expenses`}>Add expenses</a>
    </p>
  );
}
