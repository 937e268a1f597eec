import { useRef, useState } from 'preact/hooks';
import { linkHere } from '../app/address.js';
import { rangeParams } from '../app/range.js';
import type { View } from '../app/view.js';
import type { Day } from '../shared/answers.js';
import { formatDay, formatRange } from '../shared/days.js';
import { formatAxisMoney, formatExactMoney } from '../shared/money.js';
import { scaleOf } from './scale.js';
import { Tip } from './tip.js';

/** Pixels of the drawing above and below the bars. */
const [ABOVE, HEIGHT, BELOW] = [10, 190, 28];
const FULL = ABOVE + HEIGHT + BELOW;
const LABELS = 8;

/** A bar a day, each a link to that day. One tab stop: arrow keys go from bar to bar. */
export function Bars({ days, by, view }: { days: readonly Day[]; by: 'day' | 'week'; view: View }) {
  const [active, setActive] = useState<number | null>(null);
  const [reached, setReached] = useState(0);
  const plot = useRef<SVGSVGElement>(null);
  const values = days.map(({ statement }) => Number(statement.earnings));
  const { ticks, top } = scaleOf(values);
  const y = (value: number): number => ABOVE + top(value) * HEIGHT;
  const slot = 100 / Math.max(1, days.length);
  const every = Math.ceil(days.length / LABELS);
  const stop = Math.min(reached, days.length - 1);

  const move = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: days.length - 1 }[event.key];
    if (event.key === 'Escape') setActive(null);
    if (to === undefined || to < 0 || to >= days.length) return;
    event.preventDefault();
    setReached(to);
    plot.current?.querySelectorAll('a')[to]?.focus();
  };
  const shown = active === null ? undefined : days[active];
  return (
    <div class="chart" onMouseLeave={() => setActive(null)}>
      <svg class="axis" width="52" height={FULL} aria-hidden="true">
        {days.length > 0 &&
          ticks.map((tick) => (
            <text key={tick} x="46" y={y(tick) + 4} text-anchor="end">
              {formatAxisMoney(tick, view.currency)}
            </text>
          ))}
      </svg>
      <svg
        ref={plot}
        class="plot"
        width="100%"
        height={FULL}
        role="group"
        aria-label={`Earnings by ${by}. Arrow keys go from ${by} to ${by}.`}
        onKeyDown={move}
      >
        {ticks.map((tick) => (
          <line key={tick} class={tick === 0 ? 'zero' : 'grid'} x1="0" x2="100%" y1={y(tick)} y2={y(tick)} />
        ))}
        {days.map((day, i) => {
          const value = values[i] ?? 0;
          const [start, end] = [y(Math.max(0, value)), y(Math.min(0, value))];
          return (
            <a
              key={day.date}
              href={linkHere(view.address, rangeParams({ from: day.date, to: day.to ?? day.date }))}
              aria-label={`${nameOf(day)}: earnings ${formatExactMoney(day.statement.earnings, view.currency)}`}
              tabIndex={i === stop ? 0 : -1}
              data-day={day.date}
              onFocus={() => {
                setActive(i);
                setReached(i);
              }}
              onBlur={() => setActive(null)}
              onMouseEnter={() => setActive(i)}
            >
              <rect class="hit" x={`${i * slot}%`} width={`${slot}%`} y={0} height={ABOVE + HEIGHT} />
              <rect
                class={value < 0 ? 'loss' : 'profit'}
                x={`${(i + 0.16) * slot}%`}
                width={`${0.68 * slot}%`}
                y={start}
                height={value === 0 ? 0 : Math.max(2, end - start)}
                rx="1.5"
              />
            </a>
          );
        })}
        {days.map(
          (day, i) =>
            i % every === 0 && (
              <text
                key={day.date}
                class={(i / every) % 2 === 1 ? 'wide-only' : undefined}
                x={`${(i + 0.5) * slot}%`}
                y={FULL - 6}
                text-anchor="middle"
                aria-hidden="true"
              >
                {formatDay(day.date, { day: 'numeric', month: 'short' })}
              </text>
            ),
        )}
      </svg>
      {shown !== undefined && active !== null && (
        <Tip day={shown} name={nameOf(shown)} currency={view.currency} at={(active + 0.5) / days.length} />
      )}
    </div>
  );
}

function nameOf({ date, to }: Day): string {
  return to === undefined
    ? formatDay(date, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
    : formatRange({ from: date, to });
}
