import { RESTATED_FIGURES, type RestatedFigure } from './figure-list.js';
import type { FigureMaker, SalesPart } from './figures.js';
import { toExpenseMetrics, toMetrics, toStatement } from './metrics.js';

/** Why a closed day changed. */
export const CAUSE_KINDS = [
  'late_order',
  'edited_order',
  'refund',
  'deletion',
  'clock',
  'unit_cost',
  'order_cost',
  'fee_rule',
  'spend',
  'expense',
  'rates',
  'source',
  'rebuild',
] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];

/** What figures of a day are made of at a moment. */
export interface DayState {
  /** Of the settings of that moment. */
  maker: FigureMaker;
  /** Absent: nothing stood there. */
  sales: SalesPart | undefined;
}

export interface Restatement {
  figure: RestatedFigure;
  /** A number of `orders`, which is a count. */
  before: string | number;
  after: string | number;
}

/** The figures of a day that differ between two states, as `GET /v1/metrics/daily` answers them. */
export function restatementsOf(day: number, before: DayState, after: DayState): Restatement[] {
  const [was, is] = [figuresOf(day, before), figuresOf(day, after)];
  return RESTATED_FIGURES.flatMap((figure) =>
    was[figure] === is[figure] ? [] : [{ figure, before: was[figure], after: is[figure] }],
  );
}

function figuresOf(day: number, { maker, sales }: DayState): Record<RestatedFigure, string | number> {
  const figures = maker.figures({ from: day, to: day }, sales === undefined ? [] : [sales]);
  return { ...toMetrics(figures), ...toExpenseMetrics(figures), ...toStatement(figures) };
}
