import type { ExpenseMetrics, Metrics } from '../../schemas/metrics.js';
import { formatDecimal, formatOptional, isZero, minus, plus, ratio, whole, type Fraction } from '../money.js';
import type { SumName } from './sums.js';

/** The sums of a period from which every metric follows. Money is exact and unrounded. */
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

/** Every figure is computed from unrounded sums and rounded once. */
export function toMetrics(figures: Figures): Metrics {
  const { orders, revenue, refunds, cogs, gatewayFees, adSpend } = figures;
  return {
    revenue: formatDecimal(revenue),
    refunds: formatDecimal(refunds),
    net_revenue: formatDecimal(minus(revenue, refunds)),
    orders,
    cogs: formatDecimal(cogs),
    gateway_fees: formatDecimal(gatewayFees),
    ad_spend: formatDecimal(adSpend),
    net_profit: formatDecimal(netProfit(figures)),
    aov: formatOptional(ratio(revenue, whole(orders))),
    mer: isZero(revenue) ? null : formatOptional(ratio(adSpend, revenue)),
    blended_roas: formatOptional(ratio(revenue, adSpend)),
  };
}

export function toExpenseMetrics(figures: Figures): ExpenseMetrics {
  return {
    operating_expenses: formatDecimal(figures.operatingExpenses),
    net_profit_after_expenses: formatDecimal(minus(netProfit(figures), figures.operatingExpenses)),
  };
}

export function netProfit({ revenue, refunds, cogs, gatewayFees, adSpend }: Figures): Fraction {
  return minus(revenue, plus(plus(refunds, cogs), plus(gatewayFees, adSpend)));
}

export interface MetricDefinition {
  key: keyof Metrics;
  label: string;
  formula: string;
  description: string;
}

/** The static catalogue of `GET /v1/metrics/definitions`, in the order of the metrics object. */
export const METRIC_DEFINITIONS: readonly MetricDefinition[] = [
  {
    key: 'revenue',
    label: 'Revenue',
    formula: 'sum(order.total)',
    description: 'Order revenue before refunds, on the local day on which the order was placed.',
  },
  {
    key: 'refunds',
    label: 'Refunds',
    formula: 'sum(refund.total)',
    description: 'Money returned to customers, on the local day of the refund.',
  },
  {
    key: 'net_revenue',
    label: 'Net revenue',
    formula: 'revenue - refunds',
    description: 'What customers paid and kept paid. Negative when more was returned than sold.',
  },
  {
    key: 'orders',
    label: 'Orders',
    formula: 'count(orders)',
    description: 'Paid orders that are neither tests nor deleted.',
  },
  {
    key: 'cogs',
    label: 'COGS',
    formula: 'sum(quantity * unit_cost) - sum(restocked quantity * unit_cost)',
    description: 'Cost of the goods sold on the day of the order, minus the cost of refunded goods put back in stock.',
  },
  {
    key: 'gateway_fees',
    label: 'Gateway fees',
    formula: 'sum(gateway_fee) - sum(gateway_fee_refund) + sum(estimated fees)',
    description: 'Payment fees: actual ones where orders carry them, else the estimate of the fee rule of the gateway.',
  },
  {
    key: 'ad_spend',
    label: 'Ad spend',
    formula: 'sum(spend) + sum(expenses that count as ad spend)',
    description: 'Advertising cost in the shop currency. Accounts in other currencies are left out and noted.',
  },
  {
    key: 'net_profit',
    label: 'Net profit',
    formula: 'net_revenue - cogs - gateway_fees - ad_spend',
    description: 'What is left after refunds, product costs, payment fees and advertising.',
  },
  {
    key: 'aov',
    label: 'Average order value',
    formula: 'revenue / orders',
    description: 'Revenue of an average order; null without orders.',
  },
  {
    key: 'mer',
    label: 'Marketing efficiency ratio',
    formula: 'ad_spend / revenue',
    description: 'Share of revenue that is spent on advertising; null without revenue.',
  },
  {
    key: 'blended_roas',
    label: 'Blended ROAS',
    formula: 'revenue / ad_spend',
    description: 'Revenue for each unit of currency spent on advertising, over all channels; null without spend.',
  },
];
