import type { Statement } from '../../schemas/metrics.js';
import { formatDecimal, minus, plus, type Fraction } from '../money.js';
import { netProfit, type Figures } from './metrics.js';

/** What revenue is made of, what of it is tax, and what is left (contract: "Statement"). */
export function toStatement(figures: Figures): Statement {
  const { total, operatingExpenses } = figures;
  return {
    gross_sales: formatDecimal(total('gross_sales')),
    discounts: formatDecimal(total('discounts')),
    shipping: formatDecimal(total('shipping')),
    tips: formatDecimal(total('tips')),
    duties: formatDecimal(total('duties')),
    rounding_adjustment: formatDecimal(total('rounding_adjustment')),
    tax_added: formatDecimal(total('tax_added')),
    tax: formatDecimal(total('tax')),
    tax_refunded: formatDecimal(total('tax_refunded')),
    taxes: formatDecimal(taxes(figures)),
    fulfillment_costs: formatDecimal(total('fulfillment_costs')),
    operating_expenses: formatDecimal(operatingExpenses),
    earnings: formatDecimal(earnings(figures)),
  };
}

export function taxes({ total }: Figures): Fraction {
  return minus(total('tax'), total('tax_refunded'));
}

export function earnings(figures: Figures): Fraction {
  const { total, operatingExpenses } = figures;
  return minus(netProfit(figures), plus(taxes(figures), plus(total('fulfillment_costs'), operatingExpenses)));
}

interface StatementDefinition {
  key: keyof Statement;
  label: string;
  formula: string;
  description: string;
}

/** In the order of the statement; they follow those of the metrics object. */
export const STATEMENT_DEFINITIONS: readonly StatementDefinition[] = [
  {
    key: 'gross_sales',
    label: 'Gross sales',
    formula: 'sum(unit_price * quantity)',
    description: 'Goods sold at their prices, before discounts. It holds the tax of orders whose prices include it.',
  },
  {
    key: 'discounts',
    label: 'Discounts',
    formula: 'sum(line_discount) + sum(order.discounts)',
    description: 'Discounts of lines and of whole orders.',
  },
  {
    key: 'shipping',
    label: 'Shipping',
    formula: 'sum(order.shipping)',
    description: 'What customers paid for shipping.',
  },
  { key: 'tips', label: 'Tips', formula: 'sum(order.tips)', description: 'Tips.' },
  {
    key: 'duties',
    label: 'Duties',
    formula: 'sum(order.duties)',
    description:
      'Duties that customers paid. They stay in earnings: what the shop hands on is part of fulfillment_cost.',
  },
  {
    key: 'rounding_adjustment',
    label: 'Rounding',
    formula: 'sum(order.rounding_adjustment)',
    description: 'What rounding added to totals.',
  },
  {
    key: 'tax_added',
    label: 'Tax added',
    formula: 'sum(order.tax of orders whose prices do not include it)',
    description:
      'Tax on top of prices. gross_sales - discounts + shipping + tips + duties + rounding_adjustment + tax_added = revenue.',
  },
  {
    key: 'tax',
    label: 'Tax',
    formula: 'sum(order.tax)',
    description: 'All tax in revenue, included in prices or added, on the day of the order.',
  },
  {
    key: 'tax_refunded',
    label: 'Tax refunded',
    formula: 'sum(tax_refund)',
    description: 'Tax in refunds, on the day of the refund. A refund that does not say its tax counts 0.',
  },
  {
    key: 'taxes',
    label: 'Taxes',
    formula: 'tax - tax_refunded',
    description: 'Tax that the shop owes for what it sold and did not take back.',
  },
  {
    key: 'fulfillment_costs',
    label: 'Fulfillment costs',
    formula: 'sum(fulfillment_cost)',
    description: 'What the shop paid to pack and ship orders, on the day of the order. An unknown one counts 0.',
  },
  {
    key: 'operating_expenses',
    label: 'Operating expenses',
    formula: 'sum(expenses that do not count as ad spend)',
    description: 'Rent, salaries, software and the like: what of them falls on these days.',
  },
  {
    key: 'earnings',
    label: 'Earnings',
    formula: 'net_profit - taxes - fulfillment_costs - operating_expenses',
    description: 'What the shop earned once taxes, fulfillment and operating expenses are paid too.',
  },
];
