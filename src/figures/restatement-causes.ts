import { setTimeout as sleep } from 'node:timers/promises';
import { LANDED_MS } from '../domain/as-of.js';
import { createCauseGroups, type CauseGroup } from '../domain/metrics/cause-groups.js';
import type { DayRange } from '../domain/metrics/range.js';
import type { Receipt } from '../domain/receipts.js';
import type { RestatedFigure } from '../domain/metrics/figure-list.js';
import { formatDay, formatTimestamp } from '../domain/time.js';
import type { CausePlace, CauseEntry } from '../schemas/restatement-causes.js';
import { MAX_NAMES, type NameCauses } from '../warehouse/queries/cause-names.js';
import type { DayMoment } from '../warehouse/queries/restatements.js';
import { compare, cut, findCauses, MAX_MOMENTS, settingsMomentsWithin, type RestatementDeps } from './restatements.js';

export interface CauseDeps extends RestatementDeps {
  nameCauses: NameCauses;
}

export interface CauseQuery {
  shopId: string;
  range: DayRange;
  after: Receipt | undefined;
  /** Microseconds since 1970 of the first moment. */
  from: number;
  /** Undefined: the newest. */
  place: CausePlace | undefined;
  limit: number;
  /** Whose changes are given by day. */
  figure: RestatedFigure | undefined;
}

export interface CausePage {
  entries: CauseEntry[];
  /** Where the next page begins; null: this is the last. */
  next: CausePlace | null;
}

/** Times that a page reads {@link MAX_MOMENTS}. A cause of more changes than all of them is reported in parts. */
const MAX_READS = 10;

/**
 * A page of the changes of closed days by cause, newest first. It begins and ends where no cause goes on, so that each is reported as
 * a whole. Throws `source_not_registered` and `not_fresh_yet`.
 */
export async function readCauses(deps: CauseDeps, query: CauseQuery): Promise<CausePage> {
  const { shopId, range, after, from, place, limit, figure } = query;
  const { timezone, currency } = await deps.sources.require(shopId);
  if (after !== undefined) {
    await deps.requirePush(shopId, after, { range, credits: false });
    await sleep(LANDED_MS);
  }
  const start: DayMoment = place ?? { at: (deps.now() - LANDED_MS) * 1000, day: range.to };
  const skipped = place?.skip ?? 0;
  const groups = createCauseGroups();

  /** Adds the newest changes up to a moment; gives the moment after them. */
  const addFrom = async (until: DayMoment): Promise<DayMoment | undefined> => {
    const found = await deps.restatements.moments({
      shopId,
      range,
      timezone,
      from: { at: from, day: 0 },
      until,
      limit: MAX_MOMENTS + 1,
      newestFirst: true,
    });
    const settingsMoments = await settingsMomentsWithin(deps, shopId, found);
    const { moments, rest } = cut(found, settingsMoments);
    const changes = await compare(deps, { shopId, range, currency }, moments, settingsMoments);
    const changed = changes.filter(({ restated }) => restated.length > 0);
    const causes = await findCauses(deps, shopId, changed, settingsMoments);
    groups.add(changed.map((change) => ({ ...change, causes: causes(change.at, change.day) })));
    return rest;
  };

  let rest = await addFrom(start);
  for (let reads = 1; rest !== undefined && reads < MAX_READS; reads++) {
    if (groups.size() >= skipped + limit && !groups.mayGrow(rest.at)) break;
    rest = await addFrom(rest);
  }
  const all = groups.list();
  const page = all.slice(skipped, skipped + limit);
  const names = await deps.nameCauses(shopId, page);
  const isMore = all.length > skipped + limit;
  const next = isMore ? { ...start, skip: skipped + limit } : rest && { ...rest, skip: 0 };
  return {
    entries: page.map((group, i) => toEntry(group, names[i] ?? [], figure)),
    next: next === undefined ? null : { ...range, at: next.at, day: next.day, skip: next.skip },
  };
}

function toEntry(group: CauseGroup, names: string[], figure: RestatedFigure | undefined): CauseEntry {
  const { kind, at, count, days, figures, byDay, pushes } = group;
  return {
    kind,
    at: formatTimestamp(at),
    count,
    days,
    figures,
    ...(figure && { by_day: byDay(figure).map(({ day, ...change }) => ({ date: formatDay(day), ...change })) }),
    receipts: pushes.slice(0, MAX_NAMES).map(({ receipt }) => receipt),
    names,
  };
}
