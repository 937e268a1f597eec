import { addMoney, negated } from '../shared/money.js';
import type { AllMetrics } from '../shared/answers.js';

export type Figure = keyof AllMetrics;

/** A line of the statement. */
export interface StatementRow {
  key: string;
  label: string;
  /** How it goes into the lines below: added, taken off, or a sum of those above. */
  kind: 'more' | 'less' | 'sum' | 'last';
  of: readonly Figure[];
}

const row = (kind: StatementRow['kind'], key: Figure, label: string): StatementRow => ({ key, label, kind, of: [key] });

/** What has no row of its own. */
const OTHER = [
  row('more', 'shipping', 'Shipping'),
  row('more', 'tips', 'Tips'),
  row('more', 'duties', 'Duties'),
  row('more', 'rounding_adjustment', 'Rounding'),
];

/** From gross sales to earnings. */
export const ROWS: readonly StatementRow[] = [
  row('more', 'gross_sales', 'Gross sales'),
  row('less', 'discounts', 'Discounts'),
  { key: 'other', label: 'Shipping and other', kind: 'more', of: OTHER.flatMap(({ of }) => of) },
  row('more', 'tax_added', 'Tax added'),
  row('sum', 'revenue', 'Revenue'),
  row('less', 'refunds', 'Refunds'),
  row('sum', 'net_revenue', 'Net revenue'),
  row('less', 'cogs', 'Product costs'),
  row('less', 'gateway_fees', 'Payment fees'),
  row('less', 'ad_spend', 'Ads'),
  row('sum', 'net_profit', 'Net profit'),
  row('less', 'taxes', 'Taxes passed on'),
  row('less', 'fulfillment_costs', 'Packing and shipping'),
  row('less', 'operating_expenses', 'Expenses'),
  row('last', 'earnings', 'Earnings'),
];

/** The parts of a row that has several. */
export const partsOf = ({ of }: StatementRow): readonly StatementRow[] => (of.length === 1 ? [] : OTHER);

/** With the sign with which it goes into the earnings, so that the column adds up. */
export function amountOf({ kind, of }: StatementRow, figures: AllMetrics): string {
  const sum = addMoney(...of.map((figure) => String(figures[figure])));
  return kind === 'less' ? negated(sum) : sum;
}

/** The rows from which a sum comes about, itself last; null for what is no sum of rows. */
export function stepsTo(key: string): readonly StatementRow[] | null {
  const at = ROWS.findIndex((candidate) => candidate.key === key);
  const found = ROWS[at];
  if (found === undefined) return null;
  if (found.kind === 'sum' || found.kind === 'last') return ROWS.slice(0, at + 1);
  const parts = partsOf(found);
  return parts.length === 0 ? null : [...parts, { ...found, kind: 'sum' }];
}

/** A row by its key, those of parts too. */
export function rowOf(key: string): StatementRow | undefined {
  return [...ROWS, ...ROWS.flatMap(partsOf)].find((candidate) => candidate.key === key);
}
