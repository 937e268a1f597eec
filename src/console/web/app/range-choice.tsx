import { useEffect, useRef, useState } from 'preact/hooks';
import {
  addDays,
  formatRange,
  lengthOf,
  periodBefore,
  PRESETS,
  rangeFault,
  todayIn,
  type Range,
} from '../shared/days.js';
import { Icon } from '../shared/icon.js';
import { linkHere } from './address.js';
import { navigate } from './navigation.js';
import { DayField } from './day-field.js';
import { rangeParams } from './range.js';
import type { View } from './view.js';

/** The days of the page: one button that opens all ways to choose others, and links to those before and after. */
export function RangeChoice({ view, preset }: { view: View; preset: string | null }) {
  const { address, timezone } = view;
  const range = { from: view.from, to: view.to };
  const today = todayIn(timezone);
  const after = { from: addDays(range.to, 1), to: addDays(range.to, lengthOf(range)) };
  const popover = useRef<HTMLDivElement>(null);
  const show = (choice: Range | string): void => {
    popover.current?.hidePopover();
    navigate(linkHere(address, rangeParams(choice)));
  };
  const link = (to: Range): string => linkHere(address, rangeParams(to));
  return (
    <div class="range">
      <div class="group">
        <a class="button icon-button" href={link(periodBefore(range))} aria-label="The period before">
          <Icon name="left" />
        </a>
        <button type="button" class="range-button" popovertarget="range" aria-haspopup="dialog">
          <Icon name="calendar" />
          <span>{formatRange(range)}</span>
          <Icon name="down" />
        </button>
        {after.to <= today ? (
          <a class="button icon-button" href={link(after)} aria-label="The period after">
            <Icon name="right" />
          </a>
        ) : (
          <button type="button" class="icon-button" disabled aria-label="The period after">
            <Icon name="right" />
          </button>
        )}
      </div>
      <div id="range" popover="auto" role="dialog" aria-label="Choose days" class="range-pop" ref={popover}>
        <ul class="presets">
          {PRESETS.map(({ id, label }) => (
            <li key={id}>
              <button type="button" aria-pressed={id === preset} onClick={() => show(id)}>
                {label}
              </button>
            </li>
          ))}
        </ul>
        <Draft range={range} today={today} timezone={timezone} show={show} />
      </div>
    </div>
  );
}

/** Two days to type or to pick; nothing is read before they are taken. */
function Draft(props: { range: Range; today: string; timezone: string; show: (range: Range) => void }) {
  const { range, today } = props;
  const [draft, setDraft] = useState(range);
  const [fault, setFault] = useState('');
  useEffect(() => {
    setDraft(range);
    setFault('');
  }, [range.from, range.to]);
  const take = (event: Event): void => {
    event.preventDefault();
    const found = rangeFault(draft, today);
    setFault(found ?? '');
    if (found === null) props.show(draft);
  };
  const days = rangeFault(draft, today) === null ? lengthOf(draft) : null;
  return (
    <form class="range-draft" onSubmit={take} noValidate>
      <DayField label="From" value={draft.from} today={today} onInput={(from) => setDraft({ ...draft, from })} />
      <DayField label="To" value={draft.to} today={today} onInput={(to) => setDraft({ ...draft, to })} />
      <p class="wrong" role="alert">
        {fault}
      </p>
      <p class="small soft">Days in {props.timezone}. Nothing is read until you press Show.</p>
      <button class="primary">{days === null ? 'Show' : days === 1 ? 'Show 1 day' : `Show ${days} days`}</button>
    </form>
  );
}
