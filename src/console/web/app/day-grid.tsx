import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FIRST_DAY, type Range } from '../shared/days.js';
import { Icon } from '../shared/icon.js';
import { addMonths, bounded, dayAfterKey, monthOf } from './calendar.js';
import { MonthGrid } from './month-grid.js';

interface Props {
  /** Null: what is typed is none. */
  range: Range | null;
  today: string;
  onPick: (range: Range) => void;
}

/** Two months to pick a first and a last day from, the last of them alone where there is little room. */
export function DayGrid({ range, today, onPick }: Props) {
  const [day, setDay] = useState(range?.to ?? today);
  const [last, setLast] = useState(monthOf(day));
  /** The first day that was picked, while the other one is not. */
  const [begun, setBegun] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isMoving = useRef(false);
  const months = [addMonths(last, -1), last];

  const show = (next: string): void => {
    setDay(next);
    setLast(monthOf(next));
  };
  // Days that were typed are shown.
  useEffect(() => {
    if (range !== null && !months.includes(monthOf(range.to))) show(range.to);
  }, [range?.from, range?.to]);
  // At once: the next key comes to what has the focus.
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    const button = box.current?.querySelector<HTMLElement>(`[data-day="${day}"]`);
    if (button?.checkVisibility() === true) {
      isMoving.current = false;
      button.focus();
    } else setLast(monthOf(day));
  }, [day, last]);

  const page = (count: number): void => show(bounded(`${addMonths(last, count)}-01`, today));
  const pick = (picked: string): void => {
    const first = begun !== null && range?.from === begun && range.to === begun ? begun : null;
    setDay(picked);
    setBegun(first === null ? picked : null);
    const [from = picked, to = picked] = [first ?? picked, picked].sort();
    onPick({ from, to });
  };
  const press = (event: KeyboardEvent): void => {
    const next = dayAfterKey(day, event.key, today);
    const isDay = event.target instanceof Element && event.target.closest('[data-day]') !== null;
    if (next === null || !isDay || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    isMoving.current = next !== day;
    setDay(next);
  };
  return (
    <div class="months" ref={box} onKeyDown={press}>
      <button
        type="button"
        class="icon-button"
        aria-label="The month before"
        disabled={last === monthOf(FIRST_DAY)}
        onClick={() => page(-1)}
      >
        <Icon name="left" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="The month after"
        disabled={last === monthOf(today)}
        onClick={() => page(1)}
      >
        <Icon name="right" />
      </button>
      {months.map((month) => (
        <MonthGrid key={month} month={month} range={range} today={today} stop={day} onPick={pick} />
      ))}
    </div>
  );
}
