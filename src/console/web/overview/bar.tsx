import { linkHere } from '../app/address.js';
import { rangeParams } from '../app/range.js';
import type { View } from '../app/view.js';
import type { Day } from '../shared/answers.js';
import { formatExactMoney } from '../shared/money.js';
import { nameOf } from './day-name.js';
import type { Scale } from './scale.js';

/** Share of its place that a bar takes. */
const BROAD = 0.68;
/** A line over it is a little broader. */
const BROADER = 0.84;

interface Props {
  day: Day;
  /** The day that it is compared with. */
  before: Day | undefined;
  view: View;
  scale: Scale;
  /** Its place from the left and the width of that, in percent. */
  left: number;
  width: number;
  isStop: boolean;
  setActive: (isActive: boolean) => void;
}

/** A bar from zero, a link to its day; a line over it says how the day was that it is compared with. */
export function Bar({ day, before, view, scale, left, width, isStop, setActive }: Props) {
  const value = Number(day.statement.earnings);
  const start = scale.top(Math.max(0, value)) * 100;
  const end = scale.top(Math.min(0, value)) * 100;
  const line = before && `${scale.top(Number(before.statement.earnings)) * 100}%`;
  const name = nameOf(day, { near: view.to, weekday: true });
  return (
    <a
      href={linkHere(view.address, rangeParams({ from: day.date, to: day.to ?? day.date }))}
      aria-label={`${name}: earnings ${formatExactMoney(day.statement.earnings, view.currency)}`}
      tabIndex={isStop ? 0 : -1}
      data-day={day.date}
      onFocus={() => setActive(true)}
      onBlur={() => setActive(false)}
      onMouseEnter={() => setActive(true)}
    >
      <rect class="hit" x={`${left}%`} width={`${width}%`} y="0" height="100%" />
      <rect
        class={value < 0 ? 'loss' : 'profit'}
        x={`${left + (width * (1 - BROAD)) / 2}%`}
        width={`${width * BROAD}%`}
        y={`${start}%`}
        style={{ height: value === 0 ? '0' : `max(2px, ${end - start}%)` }}
        rx="1.5"
      />
      {line !== undefined &&
        ['halo', 'before'].map((name) => (
          <line
            key={name}
            class={name}
            x1={`${left + (width * (1 - BROADER)) / 2}%`}
            x2={`${left + (width * (1 + BROADER)) / 2}%`}
            y1={line}
            y2={line}
          />
        ))}
    </a>
  );
}
