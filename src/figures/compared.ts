import { comparedRange, type Comparison } from '../domain/metrics/comparison.js';
import type { DayRange } from '../domain/metrics/range.js';
import { localDayIn } from '../domain/zones/local-day.js';
import type { PeriodDeps, PeriodQuery } from './period.js';

type ComparedDeps = Pick<PeriodDeps, 'now' | 'sources'>;
type Compared = Pick<PeriodQuery, 'range' | 'asOf'>;

/**
 * The days to compare with. Today is that of the shop's zone; of figures of the past that of their moment, so that the same request
 * always has the same answer.
 */
export async function daysToCompare(
  { now, sources }: ComparedDeps,
  shopId: string,
  { range, asOf, vs }: Compared & { vs: Comparison },
): Promise<DayRange> {
  const { timezone } = await sources.require(shopId);
  return comparedRange(range, vs, localDayIn(timezone)(asOf ?? now() * 1000));
}

/** The same; undefined where none are asked for. */
export async function comparedDays(
  deps: ComparedDeps,
  shopId: string,
  { vs, ...query }: Compared & { vs: Comparison | undefined },
): Promise<DayRange | undefined> {
  return vs === undefined ? undefined : daysToCompare(deps, shopId, { ...query, vs });
}
