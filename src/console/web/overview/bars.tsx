import { useRef, useState } from 'preact/hooks';
import type { View } from '../app/view.js';
import type { Day } from '../shared/answers.js';
import { formatDay } from '../shared/days.js';
import { Axis } from './axis.js';
import { Bar } from './bar.js';
import { explainingDay } from './explaining.js';
import { Note } from './note.js';
import { scaleOf } from './scale.js';
import { Tip } from './tip.js';

const LABELS = 8;

interface Props {
  days: readonly Day[];
  /** Those that they are compared with, by position. */
  before: readonly Day[];
  by: 'day' | 'week';
  view: View;
}

/** A bar a day, each a link to that day. One tab stop: arrow keys go from bar to bar. */
export function Bars({ days, before, by, view }: Props) {
  const [active, setActive] = useState<number | null>(null);
  const [reached, setReached] = useState(0);
  const plot = useRef<SVGSVGElement>(null);
  const compared = before.slice(0, days.length);
  const scale = scaleOf([...days, ...compared].map(({ statement }) => Number(statement.earnings)));
  const slot = 100 / Math.max(1, days.length);
  const middle = (i: number): string => `${(i + 0.5) * slot}%`;
  const every = Math.ceil(days.length / LABELS);
  const stop = Math.min(reached, days.length - 1);
  const found = explainingDay(days);
  const noted = days.findIndex((day) => day === found?.day);

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
      {days.length > 0 && <Axis scale={scale} currency={view.currency} />}
      <svg
        ref={plot}
        class="plot"
        width="100%"
        height="100%"
        role="group"
        aria-label={`Earnings by ${by}. Arrow keys go from ${by} to ${by}.`}
        onKeyDown={move}
      >
        {scale.ticks.map((tick) => {
          const y = `${scale.top(tick) * 100}%`;
          return <line key={tick} class={tick === 0 ? 'zero' : 'grid'} x1="0" x2="100%" y1={y} y2={y} />;
        })}
        {found !== undefined && (
          <line
            class="lead"
            x1={middle(noted)}
            x2={middle(noted)}
            y1="-6"
            y2={`${scale.top(Math.max(0, Number(found.day.statement.earnings))) * 100}%`}
          />
        )}
        {days.map((day, i) => (
          <Bar
            key={day.date}
            day={day}
            before={compared[i]}
            view={view}
            scale={scale}
            left={i * slot}
            width={slot}
            isStop={i === stop}
            setActive={(isActive) => {
              setActive(isActive ? i : null);
              if (isActive) setReached(i);
            }}
          />
        ))}
      </svg>
      <svg class="day-names" width="100%" height="28" aria-hidden="true">
        {days.map(
          (day, i) =>
            i % every === 0 && (
              <text
                key={day.date}
                class={(i / every) % 2 === 1 ? 'wide-only' : undefined}
                x={middle(i)}
                y="22"
                text-anchor="middle"
              >
                {formatDay(day.date, { near: day.date })}
              </text>
            ),
        )}
      </svg>
      {found !== undefined && <Note found={found} view={view} at={(noted + 0.5) / days.length} />}
      {shown !== undefined && active !== null && (
        <Tip day={shown} before={compared[active]} view={view} at={(active + 0.5) / days.length} />
      )}
    </div>
  );
}
