import { percentage } from './metrics/coverage.js';
import { absolute, compareFractions, formatDecimal, fraction, isNegative, minus, type Fraction } from './money.js';
import { MS_PER_HOUR } from './time.js';

/** What alerts there are, in the order in which they are listed. */
export const ALERT_KINDS = [
  'data_stopped',
  'refusals_rose',
  'costs_fell',
  'fees_fell',
  'past_day_changed',
  'day_lost',
  'morning_summary',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** In what a threshold is given, what it may be (an amount may be any), and what it is before it is set. */
export const THRESHOLDS = {
  data_stopped: { unit: 'hours', least: 1, most: 168, usual: '24' },
  refusals_rose: { unit: 'percent', least: 0, most: 99, usual: '5' },
  costs_fell: { unit: 'percent', least: 1, most: 100, usual: '95' },
  fees_fell: { unit: 'percent', least: 1, most: 100, usual: '95' },
  past_day_changed: { unit: 'amount', usual: '100' },
  day_lost: { unit: 'amount', usual: '0' },
  morning_summary: { unit: 'hour of the day', least: 0, most: 23, usual: '7' },
} as const satisfies Record<
  AlertKind,
  | { unit: 'hours' | 'percent' | 'hour of the day'; least: number; most: number; usual: string }
  | { unit: 'amount'; usual: string }
>;

export interface AlertRule {
  kind: AlertKind;
  isOn: boolean;
  threshold: string;
  /** Milliseconds; nothing from before is reported. */
  onSince: number | null;
}

/** Off, with the usual threshold: a shop hears nothing that it did not ask for. */
export const quietRule = (kind: AlertKind): AlertRule => ({
  kind,
  isOn: false,
  threshold: THRESHOLDS[kind].usual,
  onSince: null,
});

/** What is no state that ends, but said once: it is over with the moment at which it is raised. */
export const isMessage = (kind: AlertKind): boolean => kind === 'morning_summary';

/** Something that a rule is about, and what was measured: hours, percent, or an amount. */
export interface Finding {
  kind: AlertKind;
  /** `YYYY-MM-DD`; empty where it is about no day. */
  day: string;
  measured: string;
  threshold: string;
}

export const DELIVERIES = ['none', 'waiting', 'sent', 'failed'] as const;
export type Delivery = (typeof DELIVERIES)[number];

export interface Alert extends Finding {
  alertId: string;
  /** Milliseconds. */
  since: number;
  endedAt: number | null;
  delivery: Delivery;
  attempts: number;
  nextAt: number | null;
  problem: string;
}

interface Known {
  orders: number;
  known: number;
}

/** What the rules that are on are compared with; the facts of the others are absent. */
export interface AlertFacts {
  /** Orders pushed: when last, and in how many of the past weeks some came in these hours of the week. */
  arrivals?: { lastAt: number | null; weeks: number; busyWeeks: number };
  /** Orders of the last 24 hours. */
  refusals?: { rejected: number; all: number; lastAt: number | null };
  /** Orders of the last 30 days, and those of them of which it is known: the costs of every line, the payment fee. */
  costs?: Known;
  fees?: Known;
  /** Earnings of past days, at the beginning of what is compared and now. */
  changed?: readonly { day: string; before: Fraction; after: Fraction }[];
  /** Earnings of the last days that ended. */
  ended?: readonly { day: string; earnings: Fraction }[];
  /** The day before today, once the morning hour of today is there. */
  morning?: { day: string; earnings: Fraction };
}

/** Alerts of one kind of one shop in {@link RECENT_MS} at most: an import of old orders changes hundreds of days. */
const MOST_OF_KIND = 20;
/** Alerts that ended this long ago have no part in what is raised. */
export const RECENT_MS = 5 * 24 * MS_PER_HOUR;

/** What holds now, of all rules that are on. `recent` are the alerts that are open or ended lately. */
export function findingsOf(
  rules: readonly AlertRule[],
  facts: AlertFacts,
  recent: readonly Alert[],
  nowMs: number,
): Finding[] {
  return rules
    .filter(({ isOn }) => isOn)
    .flatMap(({ kind, threshold }) => {
      const own = recent.filter((alert) => alert.kind === kind);
      return FIND[kind](threshold, facts, own, nowMs).map((found) => ({ kind, threshold, day: '', ...found }));
    });
}

type Find = (
  threshold: string,
  facts: AlertFacts,
  own: readonly Alert[],
  nowMs: number,
) => (Pick<Finding, 'measured'> & Partial<Finding>)[];

const tooFew = (threshold: string, { orders, known }: Known = { orders: 0, known: 0 }): { measured: string }[] =>
  known * 100 < Number(threshold) * orders ? [{ measured: String(percentage(known, orders)) }] : [];

const FIND: Record<AlertKind, Find> = {
  data_stopped(threshold, { arrivals }, own, nowMs) {
    if (arrivals === undefined) return [];
    const { lastAt, weeks, busyWeeks } = arrivals;
    // While it is open it ends by an order alone: the weeks without any soon are the usual ones.
    const open = own.find(({ endedAt }) => endedAt === null);
    if (lastAt === null) return open === undefined ? [] : [open];
    const hours = Math.floor((nowMs - lastAt) / MS_PER_HOUR);
    const isUsual = open !== undefined || busyWeeks * 2 >= weeks;
    return hours >= Number(threshold) && isUsual ? [{ measured: String(hours) }] : [];
  },
  refusals_rose(threshold, { refusals }, own) {
    if (refusals === undefined) return [];
    const { rejected, all, lastAt } = refusals;
    // The share of the same refusals rises again when orders that were taken leave the window.
    const isKnown = own.some(({ endedAt }) => endedAt !== null && lastAt !== null && lastAt <= endedAt);
    return rejected * 100 > Number(threshold) * all && !isKnown
      ? [{ measured: String(percentage(rejected, all)) }]
      : [];
  },
  costs_fell: (threshold, { costs }) => tooFew(threshold, costs),
  fees_fell: (threshold, { fees }) => tooFew(threshold, fees),
  past_day_changed(threshold, { changed = [] }) {
    const most = fraction(threshold);
    return changed
      .map(({ day, before, after }) => ({ day, change: minus(after, before) }))
      .filter(({ change }) => compareFractions(absolute(change), most) > 0)
      .sort((a, b) => compareFractions(absolute(b.change), absolute(a.change)))
      .map(({ day, change }) => ({ day, measured: formatDecimal(change) }));
  },
  day_lost(threshold, { ended = [] }, own) {
    const most = fraction(threshold);
    const isOver = (day: string): boolean => own.some((alert) => alert.day === day && alert.endedAt !== null);
    return ended
      .filter(
        ({ day, earnings }) => isNegative(earnings) && compareFractions(absolute(earnings), most) > 0 && !isOver(day),
      )
      .map(({ day, earnings }) => ({ day, measured: formatDecimal(earnings) }));
  },
  morning_summary: (_threshold, { morning }, own) =>
    morning === undefined || own.some(({ day }) => day === morning.day)
      ? []
      : [{ day: morning.day, measured: formatDecimal(morning.earnings) }],
};

/** What is new, and which alerts are over. What stays true is in neither. */
export function compareAlerts(
  recent: readonly Alert[],
  findings: readonly Finding[],
): { raised: Finding[]; ended: Alert[] } {
  const open = recent.filter(({ endedAt }) => endedAt === null);
  const isSame = (a: Finding, b: Finding): boolean => a.kind === b.kind && a.day === b.day;
  const counts = new Map<AlertKind, number>();
  for (const { kind } of recent) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const raised = findings
    .filter((finding) => !open.some((alert) => isSame(alert, finding)))
    .filter(({ kind }) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count <= MOST_OF_KIND;
    });
  return { raised, ended: open.filter((alert) => !findings.some((finding) => isSame(alert, finding))) };
}

const MINUTE_MS = 60_000;
/** Waits before the attempts after the first, about a day together. */
const WAITS_MS = [1, 5, 30, 120, 300, 480, 540].map((minutes) => minutes * MINUTE_MS);

/** When a delivery that failed so many times is tried again; null: it is given up. */
export function nextAttempt(attempts: number, nowMs: number): number | null {
  const wait = WAITS_MS[attempts - 1];
  return wait === undefined ? null : nowMs + wait;
}
