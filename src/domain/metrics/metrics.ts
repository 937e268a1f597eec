import type { ExpenseMetrics, Metrics, Statement } from '../../schemas/metrics.js';
import { formatDecimal, formatOptional, minus, plus, ratio, ZERO, type Fraction } from '../money.js';
import { FIGURES, isRatio, namesOf, termsOf, type FigureName, type RestatedFigure } from './figure-list.js';
import { EXPENSES, formulaOf, meaningOf, METRICS, STATEMENT, type Figures, type Meanings } from './figure-meanings.js';
import { isSum } from './sums.js';

/** The exact figure, which is rounded once. */
export function figureValue(figure: RestatedFigure, figures: Figures): Fraction {
  const { value } = meaningOf(figure);
  if (value !== undefined) return value(figures);
  if (isSum(figure)) return figures.total(figure);
  const terms = termsOf(figure).map(({ figure: name, sign }) => ({ value: figureValue(name, figures), sign }));
  return terms.reduce((sum, { value, sign }) => (sign === 1 ? plus(sum, value) : minus(sum, value)), ZERO);
}

/** A figure as answers have it. */
function shown(figure: FigureName, figures: Figures): string | number | null {
  if (isRatio(figure)) {
    const [dividend, divisor] = FIGURES[figure].per;
    return formatOptional(ratio(figureValue(dividend, figures), figureValue(divisor, figures)));
  }
  return figure === 'orders' ? figures.orders : formatDecimal(figureValue(figure, figures));
}

/** Figures as their kinds are on the wire. */
type Answer<List extends Meanings> = {
  [Name in keyof List]: List[Name] extends { kind: infer Kind extends keyof Wire } ? Wire[Kind] : never;
};
interface Wire {
  money: string;
  computed: string;
  ratio: string | null;
  count: number;
}

/** Those of a list; tests hold every answer to its schema, which is made of the same list. */
function answerOf<List extends Meanings>(list: List, figures: Figures): Answer<List> {
  return Object.fromEntries(namesOf(list).map((figure) => [figure, shown(figure, figures)])) as Answer<List>;
}

/** Every figure is computed from unrounded sums and rounded once. */
export const toMetrics = (figures: Figures): Metrics => answerOf(METRICS, figures);
export const toExpenseMetrics = (figures: Figures): ExpenseMetrics => answerOf(EXPENSES, figures);
/** What revenue is made of, what of it is tax, and what is left (contract: "Statement"). */
export const toStatement = (figures: Figures): Statement => answerOf(STATEMENT, figures);

/** The static catalogue of `GET /v1/metrics/definitions`: the metrics object, then the statement. */
export const DEFINITIONS = [...namesOf(METRICS), ...namesOf(STATEMENT)].map((key) => ({
  key,
  label: FIGURES[key].label,
  formula: formulaOf(key),
  description: meaningOf(key).description,
}));
export type MetricDefinition = (typeof DEFINITIONS)[number];
