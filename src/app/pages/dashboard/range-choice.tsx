import { useState } from 'preact/hooks';
import { lengthOf, PRESETS, todayIn, type Range } from '../shared/days.js';
import { remember, remembered } from '../shared/shop-choice.js';

const MAX_DAYS = 366;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

interface RangeState {
  range: Range;
  /** Id of a preset, or `custom`. */
  preset: string;
  setRange: (range: Range) => void;
  setPreset: (id: string) => void;
}

/** The days that the page is about, kept in its address: a preset by name, or two days. */
export function useRange(timezone: string): RangeState {
  const today = todayIn(timezone);
  const [state, setState] = useState<{ preset: string; range: Range }>(() => {
    const [from, to] = [remembered('from') ?? '', remembered('to') ?? ''];
    if (DAY.test(from) && DAY.test(to) && from <= to) return { preset: 'custom', range: { from, to } };
    const preset = PRESETS.find(({ id }) => id === remembered('range')) ?? PRESETS[3];
    return { preset: preset.id, range: preset.range(today) };
  });
  const setRange = (range: Range): void => {
    remember({ range: 'custom', ...range });
    setState({ preset: 'custom', range });
  };
  const setPreset = (id: string): void => {
    const preset = PRESETS.find((candidate) => candidate.id === id);
    if (preset === undefined) {
      setState({ ...state, preset: 'custom' });
      return;
    }
    remember({ range: id, from: '', to: '' });
    setState({ preset: id, range: preset.range(todayIn(timezone)) });
  };
  return { ...state, setRange, setPreset };
}

interface Props extends RangeState {
  timezone: string;
}

export function RangeChoice({ range, preset, setPreset, setRange, timezone }: Props) {
  const [trouble, setTrouble] = useState('');
  const pick = (next: Range) => {
    if (!DAY.test(next.from) || !DAY.test(next.to)) return;
    // A first day after the last one moves the other end along.
    const { from, to } = next.from === range.from ? { ...next, from: min(next) } : { ...next, to: max(next) };
    const tooLong = lengthOf({ from, to }) > MAX_DAYS;
    setTrouble(tooLong ? `At most ${MAX_DAYS} days fit into one view.` : '');
    if (!tooLong) setRange({ from, to });
  };
  const today = todayIn(timezone);
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
          <option value="custom">Chosen days</option>
        </select>
      </label>
      <label class="field">
        <span>From</span>
        <input
          type="date"
          value={range.from}
          max={today}
          onChange={(event) => pick({ ...range, from: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>To</span>
        <input
          type="date"
          value={range.to}
          max={today}
          onChange={(event) => pick({ ...range, to: event.currentTarget.value })}
        />
      </label>
      <span role="alert" class="fault">
        {trouble}
      </span>
    </>
  );
}

const min = ({ from, to }: Range): string => (from < to ? from : to);
const max = ({ from, to }: Range): string => (from > to ? from : to);
