import { minus, type Fraction } from '../money.js';
import { netProfit, type Figures } from './metrics.js';
import { earnings, taxes } from './statement.js';

/** What figures are made of, in the order in which the parts of one order are listed. */
export const PARTS = [
  'sale',
  'gross_sale',
  'line_discount',
  'order_discount',
  'shipping',
  'tip',
  'duty',
  'order_rounding',
  'tax_added',
  'line_cost',
  'fee_actual',
  'fee_estimate',
  'tax',
  'fulfillment',
  'refund',
  'restock',
  'fee_refund',
  'tax_refund',
  'spend',
  'ad_expense',
  'other_expense',
] as const;
export type Part = (typeof PARTS)[number];

/** A part as SQL statements name it. */
export function partNumber(part: Part): string {
  return String(PARTS.indexOf(part));
}

type ExpensePart = 'ad_expense' | 'other_expense';
export type ContributionKind = Exclude<Part, ExpensePart> | 'expense' | 'rounding';

export function kindOf(part: Part): ContributionKind {
  return part === 'ad_expense' || part === 'other_expense' ? 'expense' : part;
}

/** The kinds of entries; both parts of expenses are one kind, and what rounding leaves is one of its own. */
export const CONTRIBUTION_KINDS: readonly ContributionKind[] = [...new Set(PARTS.map(kindOf)), 'rounding'];

/** How a part counts in a figure: added or taken off. */
export type Signs = Readonly<Partial<Record<Part, 1 | -1>>>;

function less(signs: Signs, taken: Signs): Signs {
  const result: Partial<Record<Part, 1 | -1>> = { ...signs };
  for (const part of PARTS) {
    const sign = taken[part];
    if (sign !== undefined) result[part] = sign === 1 ? -1 : 1;
  }
  return result;
}

const revenue: Signs = { sale: 1 };
const refunds: Signs = { refund: 1 };
const netRevenue = less(revenue, refunds);
const cogs: Signs = { line_cost: 1, restock: -1 };
const gatewayFees: Signs = { fee_actual: 1, fee_estimate: 1, fee_refund: -1 };
const adSpend: Signs = { spend: 1, ad_expense: 1 };
const operatingExpenses: Signs = { other_expense: 1 };
const profit = less(less(less(netRevenue, cogs), gatewayFees), adSpend);
const taxSigns: Signs = { tax: 1, tax_refund: -1 };
const fulfillment: Signs = { fulfillment: 1 };

const SIGNS = {
  revenue: revenue,
  refunds: refunds,
  net_revenue: netRevenue,
  cogs: cogs,
  gateway_fees: gatewayFees,
  ad_spend: adSpend,
  net_profit: profit,
  operating_expenses: operatingExpenses,
  net_profit_after_expenses: less(profit, operatingExpenses),
  gross_sales: { gross_sale: 1 },
  discounts: { line_discount: 1, order_discount: 1 },
  shipping: { shipping: 1 },
  tips: { tip: 1 },
  duties: { duty: 1 },
  rounding_adjustment: { order_rounding: 1 },
  tax_added: { tax_added: 1 },
  tax: { tax: 1 },
  tax_refunded: { tax_refund: 1 },
  taxes: taxSigns,
  fulfillment_costs: fulfillment,
  earnings: less(less(less(profit, taxSigns), fulfillment), operatingExpenses),
} satisfies Record<string, Signs>;

export type ExplainableFigure = keyof typeof SIGNS;
/** Sums of money. Counts and quotients are no sums of entries. */
export const EXPLAINABLE_FIGURES = Object.keys(SIGNS) as ExplainableFigure[];

/** The figures that earnings are made of, and whether they add or take off. */
export const EARNINGS_PARTS = {
  revenue: 1,
  refunds: -1,
  cogs: -1,
  gateway_fees: -1,
  ad_spend: -1,
  taxes: -1,
  fulfillment_costs: -1,
  operating_expenses: -1,
} as const satisfies Partial<Record<ExplainableFigure, 1 | -1>>;
export type EarningsPart = keyof typeof EARNINGS_PARTS;

/** Apart from the signs, so that the app, which needs the names alone, has no arithmetic of money in it. */
const VALUES: Record<ExplainableFigure, (figures: Figures) => Fraction> = {
  revenue: (figures) => figures.revenue,
  refunds: (figures) => figures.refunds,
  net_revenue: (figures) => minus(figures.revenue, figures.refunds),
  cogs: (figures) => figures.cogs,
  gateway_fees: (figures) => figures.gatewayFees,
  ad_spend: (figures) => figures.adSpend,
  net_profit: netProfit,
  operating_expenses: (figures) => figures.operatingExpenses,
  net_profit_after_expenses: (figures) => minus(netProfit(figures), figures.operatingExpenses),
  gross_sales: ({ total }) => total('gross_sales'),
  discounts: ({ total }) => total('discounts'),
  shipping: ({ total }) => total('shipping'),
  tips: ({ total }) => total('tips'),
  duties: ({ total }) => total('duties'),
  rounding_adjustment: ({ total }) => total('rounding_adjustment'),
  tax_added: ({ total }) => total('tax_added'),
  tax: ({ total }) => total('tax'),
  tax_refunded: ({ total }) => total('tax_refunded'),
  taxes: taxes,
  fulfillment_costs: ({ total }) => total('fulfillment_costs'),
  earnings: earnings,
};

/** The exact figure. */
export function figureValue(figure: ExplainableFigure, figures: Figures): Fraction {
  return VALUES[figure](figures);
}

/** What an explanation may be narrowed to: entries with this SKU, of orders of this channel or gateway. */
export interface ContributionFilter {
  sku?: string | undefined;
  /** Spend of this channel too. */
  channel?: string | undefined;
  /** A gateway key. */
  gateway?: string | undefined;
}

export const CONTRIBUTION_FILTERS = ['sku', 'channel', 'gateway'] as const satisfies (keyof ContributionFilter)[];
export type ContributionFilterName = (typeof CONTRIBUTION_FILTERS)[number];

export const PARTS_OF_LINES: readonly Part[] = ['line_cost', 'restock'];
/** What lines are sold for. */
export const PARTS_OF_SALES: readonly Part[] = ['gross_sale', 'line_discount'];
export const PARTS_OF_EXPENSES: readonly Part[] = ['ad_expense', 'other_expense'];
const PARTS_OF_NO_ORDER: readonly Part[] = ['spend', ...PARTS_OF_EXPENSES];
export const PARTS_OF_ORDERS = PARTS.filter((part) => !PARTS_OF_NO_ORDER.includes(part));
const PARTS_WITH: Record<ContributionFilterName, readonly Part[]> = {
  sku: [...PARTS_OF_LINES, ...PARTS_OF_SALES],
  gateway: PARTS_OF_ORDERS,
  channel: [...PARTS_OF_ORDERS, 'spend'],
};

/** The parts of a figure that a filter leaves, with their signs. */
export function signsOf(figure: ExplainableFigure, filter: ContributionFilter = {}): Signs {
  const signs: Signs = SIGNS[figure];
  const given = CONTRIBUTION_FILTERS.filter((name) => filter[name] !== undefined);
  return Object.fromEntries(
    Object.entries(signs).filter(([part]) => given.every((name) => PARTS_WITH[name].some((own) => own === part))),
  );
}

/** The figures that have entries which a filter could select. */
export function figuresWith(filter: ContributionFilterName): ExplainableFigure[] {
  return EXPLAINABLE_FIGURES.filter((figure) => Object.keys(signsOf(figure, { [filter]: '' })).length > 0);
}
