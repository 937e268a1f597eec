import { FIRST_DAY, formatDay, type Range } from '../shared/days.js';
import { locale } from '../shared/locale.js';
import { weeksOf } from './calendar.js';

interface Props {
  month: string;
  /** Null: what is typed is none. */
  range: Range | null;
  today: string;
  /** The one day that the Tab key reaches. */
  stop: string;
  onPick: (day: string) => void;
}

const format = (ms: number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', ...options }).format(ms);
/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5);
const WEEKDAYS = Array.from({ length: 7 }, (_, i) => MONDAY + i * 86_400_000);

/** The days of one month; those of the range are marked. */
export function MonthGrid({ month, range, today, stop, onPick }: Props) {
  const name = format(Date.parse(`${month}-01T00:00:00Z`), { month: 'long', year: 'numeric' });
  return (
    <table class="month" role="grid" aria-label={name}>
      <caption>{name}</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((ms) => (
            <th key={ms} scope="col" abbr={format(ms, { weekday: 'long' })}>
              {format(ms, { weekday: 'short' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week.find((day) => day !== null)}>
            {week.map((day, i) => {
              if (day === null) return <td key={i} />;
              const isEnd = range !== null && (day === range.from || day === range.to);
              const isIn = range !== null && day >= range.from && day <= range.to;
              return (
                <td key={i} class={isEnd ? 'end' : isIn ? 'in' : undefined} aria-selected={isIn}>
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === stop ? 0 : -1}
                    disabled={day > today || day < FIRST_DAY}
                    aria-label={formatDay(day, { near: '', weekday: true })}
                    aria-current={day === today ? 'date' : undefined}
                    onClick={() => onPick(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
