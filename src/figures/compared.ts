import { comparedRange, type Comparison } from '../domain/metrics/comparison.js';
import type { DayRange } from '../domain/metrics/range.js';
import { localDayIn } from '../domain/zones/local-day.js';
import type { PeriodDeps, PeriodQuery } from './period.js';

/**
 * The days to compare with; undefined where none are asked for. Today is that of the shop's zone; of figures of the past that of their
 * moment, so that the same request always has the same answer.
 */
export async function comparedDays(
  { now, sources }: Pick<PeriodDeps, 'now' | 'sources'>,
  shopId: string,
  { range, asOf, vs }: PeriodQuery & { vs: Comparison | undefined },
): Promise<DayRange | undefined> {
  if (vs === undefined) return undefined;
  const { timezone } = await sources.require(shopId);
  return comparedRange(range, vs, localDayIn(timezone)(asOf ?? now() * 1000));
}
