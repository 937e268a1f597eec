import { PRESETS, rangeFault, todayIn, type Range } from '../shared/days.js';

const USUAL = '30d';

/** The days that a query asks for: a preset by name, which goes along with today, or two days. */
export function rangeOf(
  query: URLSearchParams,
  timezone: string,
): { range: Range; preset: string | null } | { fault: string } {
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
