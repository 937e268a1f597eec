import { formatDecimal, fraction, minus, plus, sum, whole, ZERO, type Fraction } from '../money.js';
import type { RestatedFigure } from './figure-list.js';
import { CAUSE_KINDS, type CauseKind, type Restatement } from './restatements.js';

/** A push that changed a day. */
export interface CausingPush {
  receipt: string;
  /** Last four characters of its key. */
  keyLast4: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** Its arrival stamps. */
  firstStamp: number;
  lastStamp: number;
}

export interface ChangeCause {
  kind: CauseKind;
  /** Orders, rows or records of the kind. */
  count: number;
  pushes: readonly CausingPush[];
  /** Ids of the expenses; of other kinds none. */
  records: readonly string[];
}

/** What changed of a day at a moment, and why. */
export interface CausedChange {
  /** Microseconds since 1970. */
  at: number;
  /** Day number. */
  day: number;
  restated: readonly Restatement[];
  causes: readonly ChangeCause[];
}

interface Change {
  before: string | number;
  after: string | number;
}

/** What pushes of one kind by one key changed, none of them ten minutes or more after the one before. */
export interface CauseGroup {
  kind: CauseKind;
  /** Microseconds of the last change. */
  at: number;
  count: number;
  days: number;
  figures: Partial<Record<RestatedFigure, Change>>;
  /** How a figure changed on each day, the last day first. */
  byDay: (figure: RestatedFigure) => (Change & { day: number })[];
  /** Newest first. */
  pushes: readonly CausingPush[];
  /** Ids of the expenses; of other kinds none. */
  records: readonly string[];
}

export const GAP_MS = 600_000;

export interface CauseGroups {
  /** Takes changes from the newest to the oldest. */
  add(changes: readonly CausedChange[]): void;
  /** How many groups there are. */
  size(): number;
  /** Whether a change of this moment, in microseconds, or an earlier one may belong to a group. */
  mayGrow(at: number): boolean;
  /** Newest first. */
  list(): CauseGroup[];
}

/** A group while it grows. */
interface Growing {
  kind: CauseKind;
  key: string;
  at: number;
  /** Of its pushes, in milliseconds. */
  from: number;
  to: number;
  /** By what was counted: an order counts on each of its days, a version of a cost once for all of them. */
  counts: Map<string, number>;
  days: Set<number>;
  /** What figures of days were before the first change. */
  before: Map<RestatedFigure, Map<number, { at: number; value: Fraction }>>;
  change: Map<RestatedFigure, Map<number, Fraction>>;
  pushes: Map<string, CausingPush>;
  records: Set<string>;
}

export function createCauseGroups(): CauseGroups {
  let groups: Growing[] = [];
  return {
    add(changes) {
      for (const change of changes) {
        if (change.restated.length === 0) continue;
        const one = groupOf(change);
        const [same, others] = [
          groups.filter((group) => belong(group, one)),
          groups.filter((group) => !belong(group, one)),
        ];
        groups = [...others, same.reduce((whole, group) => join(group, whole), one)];
      }
    },
    size: () => groups.length,
    mayGrow: (at) => groups.some(({ from }) => at / 1_000 > from - GAP_MS),
    list: () =>
      groups.sort((a, b) => b.at - a.at || CAUSE_KINDS.indexOf(a.kind) - CAUSE_KINDS.indexOf(b.kind)).map(told),
  };
}

/** Of several causes the one that brought most; where none is known, the days were computed again. */
function mainCause(causes: readonly ChangeCause[]): ChangeCause {
  const [first = REBUILD] = [...causes].sort(
    (a, b) => b.count - a.count || CAUSE_KINDS.indexOf(a.kind) - CAUSE_KINDS.indexOf(b.kind),
  );
  return first;
}

const REBUILD: ChangeCause = { kind: 'rebuild', count: 1, pushes: [], records: [] };

const PER_DAY: readonly CauseKind[] = ['late_order', 'edited_order', 'refund', 'deletion', 'clock', 'spend'];

function groupOf({ at, day, restated, causes }: CausedChange): Growing {
  const { kind, count, pushes, records } = mainCause(causes);
  const times = pushes.length === 0 ? [at / 1_000] : pushes.map(({ receivedAt }) => receivedAt);
  const newest = [...pushes].sort((a, b) => b.receivedAt - a.receivedAt);
  const receipts = newest
    .map(({ receipt }) => receipt)
    .sort()
    .join();
  const counted = PER_DAY.includes(kind) ? `${at} ${day}` : receipts === '' ? String(at) : receipts;
  const value = (figure: string | number): Fraction => (typeof figure === 'number' ? whole(figure) : fraction(figure));
  return {
    kind,
    key: newest[0]?.keyLast4 ?? '',
    at,
    from: Math.min(...times),
    to: Math.max(...times),
    counts: new Map([[counted, count]]),
    days: new Set([day]),
    before: new Map(restated.map(({ figure, before }) => [figure, new Map([[day, { at, value: value(before) }]])])),
    change: new Map(
      restated.map(({ figure, before, after }) => [figure, new Map([[day, minus(value(after), value(before))]])]),
    ),
    pushes: new Map(newest.map((push) => [push.receipt, push])),
    records: new Set(records),
  };
}

const belong = (one: Growing, other: Growing): boolean =>
  one.kind === other.kind && one.key === other.key && one.from - other.to < GAP_MS && other.from - one.to < GAP_MS;

/** Adds an earlier change to a group. */
function join(group: Growing, earlier: Growing): Growing {
  group.at = Math.max(group.at, earlier.at);
  group.from = Math.min(group.from, earlier.from);
  group.to = Math.max(group.to, earlier.to);
  for (const [what, count] of earlier.counts) group.counts.set(what, Math.max(count, group.counts.get(what) ?? 0));
  for (const day of earlier.days) group.days.add(day);
  for (const [figure, byDay] of earlier.before) {
    const known = group.before.get(figure) ?? new Map<number, { at: number; value: Fraction }>();
    for (const [day, before] of byDay) if (before.at <= (known.get(day)?.at ?? Infinity)) known.set(day, before);
    group.before.set(figure, known);
  }
  for (const [figure, byDay] of earlier.change) {
    const known = group.change.get(figure) ?? new Map<number, Fraction>();
    for (const [day, change] of byDay) known.set(day, plus(change, known.get(day) ?? ZERO));
    group.change.set(figure, known);
  }
  for (const [receipt, push] of earlier.pushes) group.pushes.set(receipt, push);
  for (const record of earlier.records) group.records.add(record);
  return group;
}

function told({ kind, at, counts, days, before, change, pushes, records }: Growing): CauseGroup {
  const figures = [...before].map(([figure, byDay]) => {
    const was = sum([...byDay.values()].map(({ value }) => value));
    return [
      figure,
      changeOf(figure, was, sum([...(change.get(figure) ?? new Map<number, Fraction>()).values()])),
    ] as const;
  });
  return {
    kind,
    at,
    count: [...counts.values()].reduce((all, count) => all + count, 0),
    days: days.size,
    figures: Object.fromEntries(figures),
    byDay: (figure) =>
      [...(before.get(figure) ?? [])]
        .sort(([a], [b]) => b - a)
        .map(([day, { value }]) => ({ day, ...changeOf(figure, value, change.get(figure)?.get(day) ?? ZERO) })),
    pushes: [...pushes.values()].sort((a, b) => b.receivedAt - a.receivedAt),
    records: [...records],
  };
}

const changeOf = (figure: RestatedFigure, before: Fraction, change: Fraction): Change => ({
  before: shown(figure, before),
  after: shown(figure, plus(before, change)),
});

const shown = (figure: RestatedFigure, value: Fraction): string | number =>
  figure === 'orders' ? value.num.toNumber() : formatDecimal(value);
