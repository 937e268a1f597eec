import { setTimeout as sleep } from 'node:timers/promises';
import { LANDED_MS } from '../domain/as-of.js';
import { figureMaker, type FigureMaker } from '../domain/metrics/figures.js';
import type { DayRange } from '../domain/metrics/range.js';
import { restatementsOf, type CauseKind, type DayState } from '../domain/metrics/restatements.js';
import type { Receipt } from '../domain/receipts.js';
import { formatDay, formatTimestamp } from '../domain/time.js';
import type { RestatementEntry, RestatementPlace } from '../schemas/restatements.js';
import type { DayMoment, RestatementReader } from '../warehouse/queries/restatements.js';
import type { CauseReader, FoundCause } from '../warehouse/queries/day-causes.js';
import type { PeriodDeps } from './period.js';

export interface RestatementQuery {
  shopId: string;
  range: DayRange;
  after: Receipt | undefined;
  place: RestatementPlace;
  limit: number;
}

export interface RestatementPage {
  entries: RestatementEntry[];
  /** Where the next page begins; null: this is the last. */
  next: RestatementPlace | null;
}

/** Days and moments that a page looks at, most of which may have changed nothing. */
export const MAX_MOMENTS = 400;
/** Settings that a page computes with: each of them is a query. */
const MAX_SETTINGS = 20;
/** Moments are whole micro-seconds, so this is the one before it. */
const JUST_BEFORE = 1;

export interface RestatementDeps extends Pick<PeriodDeps, 'now' | 'requirePush' | 'sources' | 'pastSettings'> {
  restatements: RestatementReader;
  /** Why days changed. */
  causes: CauseReader;
}

/**
 * A page of the changes of closed days, oldest first. A page is what the moments from its place on come to, a bounded number of
 * them, so it may hold few entries, or none, and still not be the last. Throws `source_not_registered` and `not_fresh_yet`.
 */
export async function readRestatements(deps: RestatementDeps, query: RestatementQuery): Promise<RestatementPage> {
  const { shopId, range, after, place, limit } = query;
  const { timezone, currency } = await deps.sources.require(shopId);
  if (after !== undefined) {
    await deps.requirePush(shopId, after, { range, credits: false });
    await sleep(LANDED_MS);
  }
  // What counts from before this moment has landed: no entry ever comes up before one that was reported.
  const until = (deps.now() - LANDED_MS) * 1000;
  const found = await deps.restatements.moments({
    shopId,
    range,
    timezone,
    from: place,
    until: { at: until, day: range.to },
    limit: MAX_MOMENTS + 1,
  });
  const settingsMoments = await settingsMomentsWithin(deps, shopId, found);
  const { moments, rest } = cut(found, settingsMoments);
  const changes = await compare(deps, { shopId, range, currency }, moments, settingsMoments);
  const entries = changes
    .flatMap(({ at, day, restated }) => restated.map((each, number) => ({ ...each, at, day, number })))
    .filter(({ at, day, number }) => at !== place.at || day !== place.day || number >= place.number);
  const page = entries.slice(0, limit);
  const left = entries[limit];
  const next = left ?? (rest === undefined ? null : { ...rest, number: 0 });
  const causes = await findCauses(deps, shopId, page, settingsMoments);
  return {
    entries: page.map(({ at, day, figure, before, after: now }) => ({
      date: formatDay(day),
      figure,
      before,
      after: now,
      at: formatTimestamp(at),
      causes: toCauses(causes(at, day)),
    })),
    next: next === null ? null : { ...range, at: next.at, day: next.day, number: next.number },
  };
}

/**
 * The moments at which settings changed, from the first of these on: no more than these, because each of them changes every day that
 * was over. The settings before them are those that held just before the first.
 */
export async function settingsMomentsWithin(
  { restatements }: RestatementDeps,
  shopId: string,
  found: readonly DayMoment[],
): Promise<number[]> {
  if (found.length === 0) return [];
  const ats = found.map(({ at }) => at);
  return restatements.settingsMoments(shopId, Math.min(...ats), Math.max(...ats));
}

/** As many moments as a page may look at, and the first of the others. */
export function cut(found: readonly DayMoment[], settingsMoments: readonly number[]) {
  const settings = new Set<number | undefined>();
  let end = 0;
  for (; end < Math.min(found.length, MAX_MOMENTS); end++) {
    settings.add(lastUpTo(settingsMoments, found[end]?.at ?? 0));
    if (settings.size > MAX_SETTINGS) break;
  }
  return { moments: found.slice(0, end), rest: found[end] };
}

/** The last of the moments, which are in their order, that is not after another one; undefined: it is before them. */
const lastUpTo = (moments: readonly number[], at: number): number | undefined =>
  moments.findLast((moment) => moment <= at);

interface Shop {
  shopId: string;
  range: DayRange;
  currency: string;
}

/** The figures that differ between what stood just before each moment and what stood at it. */
export async function compare(
  deps: StateDeps,
  shop: Shop,
  moments: readonly DayMoment[],
  settingsMoments: readonly number[],
) {
  const both = moments.flatMap(({ at, day }) => [
    { at: at - JUST_BEFORE, day },
    { at, day },
  ]);
  const stateOf = await readStates(deps, shop, both, settingsMoments);
  return moments.map(({ at, day }, i) => ({
    at,
    day,
    restated: restatementsOf(day, stateOf(2 * i), stateOf(2 * i + 1)),
  }));
}

type StateDeps = Pick<RestatementDeps, 'pastSettings'> & { restatements: Pick<RestatementReader, 'states'> };

/** What stood at each of the moments, by its place. `settingsMoments` are those at which settings changed, from before the first on. */
export async function readStates(
  { pastSettings, restatements }: StateDeps,
  { shopId, range, currency }: Shop,
  moments: readonly DayMoment[],
  settingsMoments: readonly number[],
): Promise<(index: number) => DayState> {
  const makers = new Map<number | undefined, Promise<FigureMaker>>();
  const makerAt = (at: number): Promise<FigureMaker> => {
    const since = lastUpTo(settingsMoments, at);
    const known = makers.get(since);
    if (known !== undefined) return known;
    const made = pastSettings
      .over(shopId, at, range, currency)
      .then(({ settings, currency: then }) => figureMaker(settings, then, range));
    makers.set(since, made);
    return made;
  };
  const [states, ofMoment] = await Promise.all([
    restatements.states(shopId, moments),
    Promise.all(moments.map(({ at }) => makerAt(at))),
  ]);
  const sales = new Map(states.map((state) => [`${state.at} ${state.day}`, state.sales]));
  return (index) => {
    const [moment, maker] = [moments[index], ofMoment[index]];
    if (moment === undefined || maker === undefined) throw new RangeError('every moment has a state');
    return { maker, sales: sales.get(`${moment.at} ${moment.day}`) };
  };
}

interface Cause {
  kind: CauseKind;
  count: number;
  receipts?: string[];
}

/** Why the days of entries changed: what was stored for them; nothing is known of days that were computed again. */
export async function findCauses(
  { causes }: RestatementDeps,
  shopId: string,
  entries: readonly DayMoment[],
  settingsMoments: readonly number[],
): Promise<(at: number, day: number) => FoundCause[]> {
  const moments = [...new Map(entries.map(({ at, day }) => [`${at} ${day}`, { at, day }])).values()];
  const changed = new Set(settingsMoments);
  const ats = [...new Set(moments.map(({ at }) => at))].filter((at) => changed.has(at));
  const found = (await Promise.all([causes.ofDays(shopId, moments), causes.ofSettings(shopId, ats)])).flat();
  return (at, day) => found.filter((cause) => cause.at === at && (cause.day === null || cause.day === day));
}

const toCauses = (found: readonly FoundCause[]): Cause[] =>
  found.length === 0
    ? [{ kind: 'rebuild', count: 1 }]
    : found.map(({ kind, count, pushes }) => ({
        kind,
        count,
        ...(pushes.length > 0 && { receipts: pushes.map(({ receipt }) => receipt) }),
      }));
