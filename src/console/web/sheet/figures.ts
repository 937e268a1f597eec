import { EXPLAINABLE_FIGURES, type ExplainableFigure } from '../../../domain/metrics/figure-list.js';

/** Counts and quotients are no sums of entries. */
export function isExplainable(name: string): name is ExplainableFigure {
  return EXPLAINABLE_FIGURES.some((figure) => figure === name);
}
