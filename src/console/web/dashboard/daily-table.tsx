import { formatDay } from '../shared/days.js';
import { formatCount, formatMoney } from '../shared/money.js';
import { numbers, Table, words } from '../shared/table.js';
import { SERIES } from './series.js';
import type { DailyAnswer } from './answers.js';

/** The figures of the chart as a table, newest day first. */
export function DailyTable({ days, currency }: DailyAnswer) {
  const columns = [...words('Day'), ...numbers('Orders', ...SERIES.map(({ label }) => label))];
  return (
    <details class="as-table">
      <summary>Show the days as a table</summary>
      <Table label="Figures by day" columns={columns} isTall>
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
      </Table>
    </details>
  );
}
