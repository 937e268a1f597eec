import { METRIC_DEFINITIONS, type MetricDefinition } from '../../../domain/metrics/metrics.js';
import { formatCount, formatMoney, formatRatio } from '../shared/money.js';
import type { AllMetrics } from './answers.js';

export type Name = keyof AllMetrics;
export interface Definition extends Omit<MetricDefinition, 'key'> {
  key: Name;
}

/** What the catalogue of the API has no entry for, because only `include=expenses` brings it. */
const OF_EXPENSES: Definition[] = [
  {
    key: 'operating_expenses',
    label: 'Operating expenses',
    formula: 'sum(expenses that do not count as ad spend)',
    description: 'Rent, salaries, software and the like: what of them falls on these days.',
  },
  {
    key: 'net_profit_after_expenses',
    label: 'Net profit after expenses',
    formula: 'net_profit - operating_expenses',
    description: 'What is left once the operating expenses are paid too.',
  },
];

/** The two that everything else leads to. */
export const CHIEF: readonly Name[] = ['net_profit', 'net_profit_after_expenses'];

const OF_METRICS = new Set<string>(METRIC_DEFINITIONS.map(({ key }) => key));

/** Of the metrics object, without the statement: the chief figures first, the others in the order in which one follows from another. */
export function cardsOf(catalogue: readonly MetricDefinition[]): Definition[] {
  const own = catalogue.filter(({ key }) => OF_METRICS.has(key));
  const all: Definition[] = own.flatMap((entry) =>
    entry.key === 'net_profit' ? [...OF_EXPENSES.slice(0, 1), entry, ...OF_EXPENSES.slice(1)] : [entry],
  );
  const isChief = ({ key }: Definition): boolean => CHIEF.includes(key);
  return [...all.filter(isChief), ...all.filter((entry) => !isChief(entry))];
}

const RATIOS: readonly Name[] = ['mer', 'blended_roas'];

/** A value as it is shown; the dash stands for what can't be computed. */
export function formatMetric(name: Name, value: string | number | null, currency: string, sign?: 'exceptZero'): string {
  if (value === null) return '–';
  if (name === 'orders') return formatCount(value, sign);
  return RATIOS.includes(name) ? formatRatio(String(value), sign) : formatMoney(String(value), currency, sign);
}

/** How wide a figure is in bold digits, in ems: at most, so that a card can be sure that it fits. */
export function widthInEms(text: string): number {
  return Array.from(text).reduce((width, char) => width + (/[.,'’\s]/.test(char) ? 0.4 : 0.72), 0);
}
