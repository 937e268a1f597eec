import type { RestatedFigure } from '../../../domain/metrics/figure-list.js';
import type { CauseKind } from '../../../domain/metrics/restatements.js';
import type { IconName } from '../shared/icon.js';
import { addMoney, negated } from '../shared/money.js';

export const ICONS: Readonly<Record<CauseKind, IconName>> = {
  late_order: 'orders',
  edited_order: 'orders',
  refund: 'orders',
  deletion: 'orders',
  clock: 'orders',
  unit_cost: 'products',
  order_cost: 'products',
  fee_rule: 'settings',
  spend: 'channels',
  expense: 'settings',
  rates: 'settings',
  source: 'settings',
  rebuild: 'changes',
};

/** What an amount became more; negative: less. */
export function moreOf({ before, after }: { before: string | number; after: string | number }): string {
  return addMoney(String(after), negated(String(before)));
}

/** In the order of the statement. */
export const FIGURES: readonly { key: RestatedFigure; label: string }[] = [
  { key: 'orders', label: 'Orders' },
  { key: 'gross_sales', label: 'Gross sales' },
  { key: 'discounts', label: 'Discounts' },
  { key: 'shipping', label: 'Shipping' },
  { key: 'tips', label: 'Tips' },
  { key: 'duties', label: 'Duties' },
  { key: 'rounding_adjustment', label: 'Rounding' },
  { key: 'tax_added', label: 'Tax added' },
  { key: 'revenue', label: 'Revenue' },
  { key: 'refunds', label: 'Refunds' },
  { key: 'net_revenue', label: 'Net revenue' },
  { key: 'cogs', label: 'Product costs' },
  { key: 'gateway_fees', label: 'Payment fees' },
  { key: 'ad_spend', label: 'Ads' },
  { key: 'net_profit', label: 'Net profit' },
  { key: 'taxes', label: 'Taxes passed on' },
  { key: 'fulfillment_costs', label: 'Packing and shipping' },
  { key: 'operating_expenses', label: 'Expenses' },
  { key: 'earnings', label: 'Earnings' },
];
