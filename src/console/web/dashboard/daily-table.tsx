import { formatDay } from '../shared/days.js';
import { formatCount, formatMoney } from '../shared/money.js';
import { SERIES } from './series.js';
import type { DailyAnswer } from './answers.js';

/** The figures of the chart as a table, newest day first. */
export function DailyTable({ days, currency }: DailyAnswer) {
  return (
    <details class="as-table">
      <summary>Show the days as a table</summary>
      <div class="scroll tall" tabIndex={0} role="region" aria-label="Figures by day, table">
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" class="number">
                Orders
              </th>
              {SERIES.map(({ label }) => (
                <th key={label} scope="col" class="number">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.date}>
                <th scope="row">{formatDay(day.date)}</th>
                <td class="number">{formatCount(day.orders)}</td>
                {SERIES.map(({ label, of }) => (
                  <td key={label} class="number">
                    {formatMoney(of(day), currency)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
