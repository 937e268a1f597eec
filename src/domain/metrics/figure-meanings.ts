import { FIGURES, termsOf, type FigureEntry, type FigureName } from './figure-list.js';
import { whole, type Fraction } from '../money.js';
import type { SumName } from './sums.js';

/** What each figure of the list means, said once for the API and its definitions, and how it is computed. */

/** The sums of a period from which every figure follows. Money is exact and unrounded. */
export interface Figures {
  orders: number;
  revenue: Fraction;
  refunds: Fraction;
  cogs: Fraction;
  gatewayFees: Fraction;
  /** Spend rows and the expenses that count as ad spend. */
  adSpend: Fraction;
  /** The other expenses; no part of net profit. */
  operatingExpenses: Fraction;
  /** Any other sum: what only a statement shows is added up for one alone. */
  total: (name: SumName) => Fraction;
}

interface Meaning {
  /** On the wire: amounts as sent, amounts that may be negative or have more digits, quotients, counts. */
  kind: 'money' | 'computed' | 'ratio' | 'count';
  description: string;
  /** Absent: it follows from the figures that it is made of. */
  formula?: string;
  /** Its exact value. Absent: the sum of its name, or it follows from the figures that it is made of. */
  value?: (figures: Figures) => Fraction;
}

export type Meanings = Readonly<Partial<Record<FigureName, Meaning>>>;

/** The metrics object, in its order. */
export const METRICS = {
  revenue: {
    kind: 'money',
    description: 'Order revenue before refunds, on the local day on which the order was placed.',
    formula: 'sum(order.total)',
    value: ({ revenue }) => revenue,
  },
  refunds: {
    kind: 'money',
    description: 'Money returned to customers, on the local day of the refund.',
    formula: 'sum(refund.total)',
    value: ({ refunds }) => refunds,
  },
  net_revenue: {
    kind: 'computed',
    description: 'What customers paid and kept paid. Negative when more was returned than sold.',
  },
  orders: {
    kind: 'count',
    description: 'Paid orders that are neither tests nor deleted.',
    formula: 'count(orders)',
    value: ({ orders }) => whole(orders),
  },
  cogs: {
    kind: 'computed',
    description:
      'Cost of the goods sold on the day of the order, minus the cost of refunded goods put back in stock. An unknown cost counts 0.',
    formula: 'sum(quantity * unit_cost) - sum(restocked quantity * unit_cost)',
    value: ({ cogs }) => cogs,
  },
  gateway_fees: {
    kind: 'computed',
    description: 'Payment fees: actual ones where orders carry them, else the estimate of the fee rule of the gateway.',
    formula: 'sum(gateway_fee) - sum(gateway_fee_refund) + sum(estimated fees)',
    value: ({ gatewayFees }) => gatewayFees,
  },
  ad_spend: {
    kind: 'money',
    description:
      'Advertising cost in the shop currency, expenses that count as such included. Accounts in other currencies count at the rates of the shop where it converts, else they are left out and noted.',
    formula: 'sum(spend) + sum(expenses that count as ad spend)',
    value: ({ adSpend }) => adSpend,
  },
  net_profit: {
    kind: 'computed',
    description: 'What is left after refunds, product costs, payment fees and advertising.',
  },
  aov: { kind: 'ratio', description: 'Revenue of an average order; null without orders.' },
  mer: { kind: 'ratio', description: 'Share of revenue that is spent on advertising; null without revenue.' },
  blended_roas: {
    kind: 'ratio',
    description: 'Revenue for each unit of currency spent on advertising, over all channels; null without spend.',
  },
} as const satisfies Meanings;

/** What `include=expenses` adds to it. */
export const EXPENSES = {
  operating_expenses: {
    kind: 'money',
    description:
      'Rent, salaries, software and the like, but for what counts as ad spend: what of them falls on these days.',
    formula: 'sum(expenses that do not count as ad spend)',
    value: ({ operatingExpenses }) => operatingExpenses,
  },
  net_profit_after_expenses: { kind: 'computed', description: 'What is left once operating expenses are paid too.' },
} as const satisfies Meanings;

/** The statement, in its order. */
export const STATEMENT = {
  gross_sales: {
    kind: 'money',
    description: 'Goods sold at their prices, before discounts. It holds the tax of orders whose prices include it.',
    formula: 'sum(unit_price * quantity)',
  },
  discounts: {
    kind: 'money',
    description: 'Discounts of lines and of whole orders.',
    formula: 'sum(line_discount) + sum(order.discounts)',
  },
  shipping: {
    kind: 'money',
    description: 'What customers paid for shipping.',
    formula: 'sum(order.shipping)',
  },
  tips: { kind: 'money', description: 'Tips.', formula: 'sum(order.tips)' },
  duties: {
    kind: 'money',
    description:
      'Duties that customers paid. They stay in earnings: what the shop hands on is part of fulfillment_cost.',
    formula: 'sum(order.duties)',
  },
  rounding_adjustment: {
    kind: 'money',
    description: 'What rounding added to totals.',
    formula: 'sum(order.rounding_adjustment)',
  },
  tax_added: {
    kind: 'money',
    description:
      'Tax on top of prices. gross_sales - discounts + shipping + tips + duties + rounding_adjustment + tax_added = revenue.',
    formula: 'sum(order.tax of orders whose prices do not include it)',
  },
  tax: {
    kind: 'money',
    description: 'All tax in revenue, included in prices or added, on the day of the order.',
    formula: 'sum(order.tax)',
  },
  tax_refunded: {
    kind: 'money',
    description: 'Tax in refunds, on the day of the refund. A refund that does not say its tax counts 0.',
    formula: 'sum(tax_refund)',
  },
  taxes: { kind: 'computed', description: 'Tax that the shop owes for what it sold and did not take back.' },
  fulfillment_costs: {
    kind: 'money',
    description: 'What the shop paid to pack and ship orders, on the day of the order. An unknown one counts 0.',
    formula: 'sum(fulfillment_cost)',
  },
  operating_expenses: EXPENSES.operating_expenses,
  earnings: {
    kind: 'computed',
    description:
      'What the shop earned once taxes, fulfillment and operating expenses are paid too. At most that while costs are not known, ' +
      'at least that while refunds do not say their tax.',
  },
} as const satisfies Meanings;

const ALL: Meanings = { ...METRICS, ...EXPENSES, ...STATEMENT };

export function meaningOf(figure: FigureName): Meaning {
  const meaning = ALL[figure];
  if (meaning === undefined) throw new Error(`${figure} has no meaning`);
  return meaning;
}

/** How it is computed from other figures, or from what was pushed. */
export function formulaOf(figure: FigureName): string {
  const { per }: FigureEntry = FIGURES[figure];
  const made =
    per?.join(' / ') ??
    termsOf(figure)
      .map(({ figure: name, sign }, i) => `${i === 0 ? '' : sign === 1 ? ' + ' : ' - '}${name}`)
      .join('');
  return meaningOf(figure).formula ?? made;
}

/** Its description; where it is made of other figures, with its formula. */
export function describe(figure: FigureName): string {
  const { description, formula } = meaningOf(figure);
  return formula === undefined ? `${description} Formula: ${formulaOf(figure)}.` : description;
}
