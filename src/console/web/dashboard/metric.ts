import { EXPLAINABLE_FIGURES, type ExplainableFigure } from '../../../domain/metrics/contributions.js';
import { METRIC_DEFINITIONS, type MetricDefinition } from '../../../domain/metrics/metrics.js';
import { formatCount, formatMoney, formatRatio } from '../shared/money.js';
import type { AllMetrics } from './answers.js';

export type Name = keyof AllMetrics;
export interface Definition extends Omit<MetricDefinition, 'key'> {
  key: Name;
}

/** The last line, to which all others lead. */
export const CHIEF: Name = 'earnings';

/** What has a card: the metrics object, and of the statement what is not in it and no detail. */
const SHOWN = new Set<string>([...METRIC_DEFINITIONS.map(({ key }) => key), 'operating_expenses', CHIEF]);

/** The last line first, the others in the order of the catalogue. */
export function cardsOf(catalogue: readonly { key: string }[]): Definition[] {
  const own = (catalogue as readonly Definition[]).filter(({ key }) => SHOWN.has(key));
  return [...own.filter(({ key }) => key === CHIEF), ...own.filter(({ key }) => key !== CHIEF)];
}

/** Counts and quotients are no sums of entries. */
export function isExplainable(name: string): name is ExplainableFigure {
  return EXPLAINABLE_FIGURES.some((figure) => figure === name);
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
