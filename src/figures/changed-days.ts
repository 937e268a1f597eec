import { figureValue } from '../domain/metrics/metrics.js';
import type { FigureMaker, SalesPart } from '../domain/metrics/figures.js';
import type { Fraction } from '../domain/money.js';
import type { SourceRecord } from '../domain/source.js';
import { formatDay } from '../domain/time.js';
import type { RestatementReader } from '../warehouse/queries/restatements.js';
import type { PeriodDeps } from './period.js';
import { readStates } from './restatements.js';

export interface ChangedDayDeps extends Pick<PeriodDeps, 'pastSettings'> {
  restatements: Pick<RestatementReader, 'moments' | 'settingsMoments' | 'states'>;
}

/** Earnings of a past day, at the beginning of what is compared and at its end. */
export interface ChangedDay {
  /** `YYYY-MM-DD`. */
  day: string;
  before: Fraction;
  after: Fraction;
}

/** Past days that are looked at. */
const PAST_DAYS = 366;
/** A change of settings changes every past day: the newest so many moments are looked at, of so many days. */
const MAX_MOMENTS = 400;
const MAX_DAYS = 100;

/**
 * Days that were over and changed between two moments, in milliseconds. A day that ended meanwhile is compared with its end.
 *
 * @param span `lastDay` is the number of the newest day that is looked at
 */
export async function readChangedDays(
  deps: ChangedDayDeps,
  shopId: string,
  source: SourceRecord,
  span: { since: number; until: number; lastDay: number },
): Promise<ChangedDay[]> {
  const { restatements } = deps;
  const [since, until] = [span.since * 1000, span.until * 1000];
  if (since >= until) return [];
  const range = { from: Math.max(0, span.lastDay + 1 - PAST_DAYS), to: span.lastDay };
  const moments = await restatements.moments({
    shopId,
    range,
    timezone: source.timezone,
    limit: MAX_MOMENTS,
    newestFirst: true,
    from: { at: since, day: range.from },
    until: { at: until, day: range.to },
  });
  // The state before its first change as a past day is the one at its end, or at the beginning.
  const firsts = new Map<number, number>();
  for (const { day, at } of moments) {
    if (firsts.has(day) || firsts.size < MAX_DAYS) firsts.set(day, at);
  }
  const pairs = [...firsts].flatMap(([day, first]) => [
    { day, at: first - 1 },
    { day, at: until },
  ]);
  if (pairs.length === 0) return [];
  const settingsMoments = await restatements.settingsMoments(shopId, Math.min(...firsts.values()), until);
  const stateOf = await readStates(deps, { shopId, range, currency: source.currency }, pairs, settingsMoments);
  const earnedAt = (day: number, index: number): Fraction => {
    const { maker, sales } = stateOf(index);
    return earningsOf(maker, day, sales === undefined ? [] : [sales]);
  };
  return [...firsts.keys()].map((day, i) => ({
    day: formatDay(day),
    before: earnedAt(day, 2 * i),
    after: earnedAt(day, 2 * i + 1),
  }));
}

export const earningsOf = (maker: FigureMaker, day: number, parts: readonly SalesPart[]): Fraction =>
  figureValue('earnings', maker.figures({ from: day, to: day }, parts));
