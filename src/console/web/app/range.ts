import { PRESETS, rangeFault, todayIn, type Range } from '../shared/days.js';

const USUAL = '30d';

/** What days are compared with: those before them, the same weekdays a year before, or nothing. */
export const COMPARISONS = ['before', 'year', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];
const USUAL_COMPARISON = 'before';

interface Asked {
  range: Range;
  preset: string | null;
  vs: Comparison;
}

/** The days that a query asks for, and what to compare them with. */
export function rangeOf(query: URLSearchParams, timezone: string): Asked | { fault: string } {
  const name = query.get('vs') ?? USUAL_COMPARISON;
  const vs = COMPARISONS.find((comparison) => comparison === name);
  if (vs === undefined) return { fault: `There is no comparison “${name.slice(0, 32)}”.` };
  const days = daysOf(query, timezone);
  return 'fault' in days ? days : { ...days, vs };
}

/** A preset by name, which goes along with today, or two days. */
function daysOf(query: URLSearchParams, timezone: string): Omit<Asked, 'vs'> | { fault: string } {
  const today = todayIn(timezone);
  const name = query.get('range');
  const [from, to] = [query.get('from'), query.get('to')];
  if (from !== null || to !== null) {
    const range = { from: from ?? '', to: to ?? '' };
    const fault = rangeFault(range, today);
    return fault === null ? { range, preset: null } : { fault };
  }
  const preset = PRESETS.find(({ id }) => id === (name ?? USUAL));
  if (preset === undefined) return { fault: `There is no period “${(name ?? '').slice(0, 32)}”.` };
  return { range: preset.range(today), preset: preset.id };
}

/** The parameters of the address for a preset, or for two days. */
export function rangeParams(choice: Range | string): Record<'range' | 'from' | 'to', string | null> {
  if (typeof choice === 'string') return { range: choice === USUAL ? null : choice, from: null, to: null };
  return { range: null, ...choice };
}

/** The parameter of the address for a comparison. */
export function vsParams(vs: Comparison): Record<'vs', string | null> {
  return { vs: vs === USUAL_COMPARISON ? null : vs };
}

/** What the API is asked to compare with, as the end of a query. */
export function vsOf({ vs }: { vs: Comparison }): string {
  return vs === 'none' ? '' : `&vs=${vs}`;
}
