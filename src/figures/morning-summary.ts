import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert } from '../domain/alerts.js';
import { LANDED_MS } from '../domain/as-of.js';
import { comparedRange } from '../domain/metrics/comparison.js';
import { absolute, compareFractions, formatDecimal, minus, sum } from '../domain/money.js';
import type { SourceRecord } from '../domain/source.js';
import { formatTimestamp } from '../domain/time.js';
import { dayEarlierIn, localDayIn } from '../domain/zones/local-day.js';
import type { MorningSummary } from '../schemas/alerts.js';
import type { Includable } from '../schemas/metrics.js';
import { readChangedDays, type ChangedDayDeps } from './changed-days.js';
import type { PeriodDeps } from './period.js';
import { readRange, type ShownDeps } from './shown-figures.js';

export type MorningDeps = ShownDeps & ChangedDayDeps & Pick<PeriodDeps, 'now'>;

/** Changed days that are named, those that changed most. */
const MOST_DAYS = 20;
const STATEMENT: ReadonlySet<Includable> = new Set(['expenses', 'coverage', 'statement']);

/**
 * What the morning summary of a shop says, all as it stood when the alert was raised, so that each attempt to send it says the same.
 *
 * @param changedSince milliseconds: of the summary before, or when the shop asked for it
 */
export async function readMorningSummary(
  deps: MorningDeps,
  shopId: string,
  source: SourceRecord,
  { alert, changedSince }: { alert: Alert; changedSince: number },
): Promise<MorningSummary> {
  const { timezone } = source;
  const asOf = alert.since * 1000;
  const early = alert.since + LANDED_MS - deps.now();
  if (early > 0) await sleep(early);
  const today = localDayIn(timezone)(asOf);
  const earlier = dayEarlierIn(timezone)(asOf);
  const dayOf = (day: number, at: number, included: ReadonlySet<Includable>) =>
    readRange(deps, shopId, { range: { from: day, to: day }, after: undefined, asOf: at, included }, source);
  const yesterday = { from: today - 1, to: today - 1 };
  const [statement, before, now, sameHours, changed] = await Promise.all([
    dayOf(yesterday.from, asOf, STATEMENT),
    dayOf(comparedRange(yesterday, 'before', today).from, asOf, STATEMENT),
    dayOf(today, asOf, new Set()),
    dayOf(today - 1, earlier, new Set()),
    // The day itself is new.
    readChangedDays(deps, shopId, source, { since: changedSince, until: alert.since, lastDay: today - 2 }),
  ]);
  const days = changed
    .map(({ day, before: was, after }) => ({ day, was, after, change: minus(after, was) }))
    .filter(({ was, after }) => compareFractions(was, after) !== 0)
    .sort((a, b) => compareFractions(absolute(b.change), absolute(a.change)) || (a.day < b.day ? -1 : 1));
  return {
    statement: { ...statement, compared: before },
    changed: {
      since: formatTimestamp(changedSince * 1000),
      days_changed: days.length,
      change: formatDecimal(sum(days.map(({ change }) => change))),
      days: days.slice(0, MOST_DAYS).map(({ day, was, after, change }) => ({
        date: day,
        before: formatDecimal(was),
        after: formatDecimal(after),
        change: formatDecimal(change),
      })),
    },
    today: { ...now, compared: { ...sameHours, as_of: formatTimestamp(earlier) } },
  };
}
