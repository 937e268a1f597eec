import type { ProductCostBatchResult } from '../../../schemas/product-costs.js';
import { Amount } from '../shared/amount.js';
import { formatCount } from '../shared/money.js';

/** What unit costs that were tried would change in all; nothing while none is. */
export function PricedEffect({ tried, currency }: { tried: ProductCostBatchResult | null; currency: string }) {
  if (tried?.preview === undefined) return null;
  const { days, net_profit_change } = tried.preview;
  return (
    <strong>
      {tried.accepted} entered: net profit changes by{' '}
      <span data-preview="all">
        <Amount value={net_profit_change} currency={currency} signed />
      </span>{' '}
      on {formatCount(days)} {days === 1 ? 'day' : 'days'}, all days counted.
    </strong>
  );
}
