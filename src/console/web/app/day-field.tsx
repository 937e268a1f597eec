import { useEffect, useState } from 'preact/hooks';
import { isShownDay } from '../shared/days.js';
import { readDay, typedDay } from './typed-day.js';

interface Props {
  label: string;
  value: string;
  today: string;
  /** The id of a hint. */
  hint?: string;
  /** Takes a day, or the text that is none. */
  onInput: (day: string) => void;
}

/** A day to type. */
export function DayField({ label, value, today, hint, onInput }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const isDay = isShownDay(value, today);
  // A day that was chosen elsewhere takes the place of what was typed.
  useEffect(() => {
    if (typed !== null && readDay(typed, today) !== value) setTyped(null);
  }, [value]);
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        autocomplete="off"
        aria-describedby={hint}
        maxLength={60}
        value={typed ?? (isDay ? typedDay(value, today) : value)}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onInput(readDay(currentTarget.value, today));
        }}
        onBlur={() => isDay && setTyped(null)}
      />
    </label>
  );
}
