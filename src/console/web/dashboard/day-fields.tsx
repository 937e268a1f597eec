import { useEffect, useRef, useState } from 'preact/hooks';
import { FIRST_DAY, isShownDay, rangeFault, type Range } from '../shared/days.js';

/** After this pause in typing the days are taken as meant. */
const PAUSE_MS = 900;

interface Props {
  range: Range;
  setRange: (range: Range) => void;
  today: string;
}

/**
 * Two days to type or to pick. The browser reports every key that makes some date, the year 0002 on the way to 2026 too:
 * so what stands here is a draft, taken when the field is left, on Enter, or after a pause.
 */
export function DayFields({ range, setRange, today }: Props) {
  const [draft, setDraft] = useState(range);
  const [trouble, setTrouble] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    setDraft(range);
    setTrouble('');
  }, [range.from, range.to]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const take = (next: Range) => {
    clearTimeout(timer.current);
    const fault = rangeFault(next, today);
    setTrouble(fault ?? '');
    if (fault === null && (next.from !== range.from || next.to !== range.to)) setRange(next);
  };
  const field = (end: keyof Range, label: string) => {
    const settle = (value: string) => {
      // An emptied field goes back to the day that is shown.
      const meant = { ...draft, [end]: value === '' ? range[end] : value };
      setDraft(meant);
      take(isShownDay(meant[end], today) ? alongWith(end, meant) : meant);
    };
    const type = (value: string) => {
      setDraft({ ...draft, [end]: value });
      clearTimeout(timer.current);
      if (isShownDay(value, today)) timer.current = setTimeout(() => settle(value), PAUSE_MS);
    };
    return (
      <label class="field">
        <span>{label}</span>
        <input
          type="date"
          value={draft[end]}
          min={FIRST_DAY}
          max={today}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={(event) => settle(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && settle(event.currentTarget.value)}
        />
      </label>
    );
  };
  return (
    <>
      {field('from', 'From')}
      {field('to', 'To')}
      <span role="alert" class="fault">
        {trouble}
      </span>
    </>
  );
}

/** A first day after the last one moves the other end along. */
function alongWith(end: keyof Range, { from, to }: Range): Range {
  if (from <= to) return { from, to };
  return end === 'from' ? { from, to: from } : { from: to, to };
}
