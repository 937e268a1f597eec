import { formatMoney } from '../shared/money.js';
import { verdictOf } from './verdict.js';
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

/** Whether the last line may be more or less than what it says. */
export function Bound({ coverage }: MetricsAnswer) {
  const { word } = verdictOf(coverage);
  return word === '' ? null : <span class="bound">{word}</span>;
}

/** Says beside the last line what of it is not known. */
export function Gaps({ coverage, orders }: MetricsAnswer) {
  if (orders === 0) return null;
  const { word, gaps } = verdictOf(coverage);
  if (word === '') return <p class="verdict good">All that it is made of is known.</p>;
  return (
    <p class="verdict">
      Not known: {gaps.join(', ')}. What is not known counts as 0{WHAT_FOLLOWS[word]}.{' '}
      <a href="#completeness">How complete it is</a>
    </p>
  );
}

const WHAT_FOLLOWS = {
  'at most': ', so the real earnings are lower',
  'at least': ', so the real earnings are higher',
  incomplete: '',
} as const;

/** Says that nothing was taken off for want of expenses, not because there are none. */
export function NoExpenses({ shop, now }: { shop: string; now: MetricsAnswer }) {
  if (now.statement.operating_expenses !== '0.00') return null;
  return (
    <p class="change">
      No operating expenses are known for these days.{' '}
      <a href={`/developers?shop=${encodeURIComponent(shop)}#expenses`}>Add expenses</a>
    </p>
  );
}
