import { useState } from 'preact/hooks';
import { PRESETS, rangeFault, todayIn, type Range } from '../shared/days.js';
import { remember, remembered } from '../shared/shop-choice.js';
import { DayFields } from './day-fields.js';

interface Props {
  range: Range;
  /** Id of a preset, or `custom`. */
  preset: string;
  /** Why the days of the address are not the ones shown; empty where they are. */
  refused: string;
  setRange: (range: Range) => void;
  setPreset: (id: string) => void;
}

const CUSTOM = 'custom';

/** What the address asks for: a preset by name, or two days. */
function fromAddress(today: string): { preset: string; range: Range; refused: string } {
  const range = { from: remembered('from') ?? '', to: remembered('to') ?? '' };
  const asked = range.from !== '' || range.to !== '';
  const fault = asked ? rangeFault(range, today) : null;
  if (asked && fault === null) return { preset: CUSTOM, range, refused: '' };
  const preset = PRESETS.find(({ id }) => id === remembered('range')) ?? PRESETS[3];
  const refused = fault === null ? '' : `The days in the address can’t be shown. ${fault} Below are other days.`;
  return { preset: preset.id, range: preset.range(today), refused };
}

/** The days that the page is about, kept in its address. A preset goes along with today, also on a page that stays open. */
export function useRange(timezone: string): Props {
  const today = todayIn(timezone);
  const [{ preset, range, refused }, setState] = useState(() => fromAddress(today));
  const known = PRESETS.find(({ id }) => id === preset);
  const shown = known === undefined ? range : known.range(today);
  return {
    range: shown,
    preset,
    refused,
    setRange(next) {
      remember({ range: CUSTOM, ...next });
      setState({ preset: CUSTOM, range: next, refused: '' });
    },
    setPreset(id) {
      remember(id === CUSTOM ? { range: id, ...shown } : { range: id, from: '', to: '' });
      setState({ preset: id, range: shown, refused: '' });
    },
  };
}

export function RangeChoice({ range, preset, setPreset, setRange, timezone }: Props & { timezone: string }) {
  return (
    <>
      <label class="field">
        <span>Period</span>
        <select value={preset} onChange={(event) => setPreset(event.currentTarget.value)}>
          {PRESETS.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
          <option value={CUSTOM}>Chosen days</option>
        </select>
      </label>
      <DayFields range={range} setRange={setRange} today={todayIn(timezone)} />
    </>
  );
}
