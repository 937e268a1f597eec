import { linkHere } from '../app/address.js';
import { rangeParams } from '../app/range.js';
import type { View } from '../app/view.js';
import { Amount } from '../shared/amount.js';
import { amountsOf, type DailyAnswer } from '../shared/answers.js';
import { shopApi } from '../shared/api.js';
import { formatDay } from '../shared/days.js';
import { Answer } from '../shared/frame.js';
import { addMoney, formatCount } from '../shared/money.js';
import { useRead } from '../shared/use-read.js';
import type { StatementRow } from '../statement/rows.js';

/** A figure by day, newest day first; each day leads to its own parts or entries. */
export function DayList({ row, view }: { row: StatementRow; view: View }) {
  const { shop, from, to, address, currency } = view;
  const daily = useRead<DailyAnswer>(shopApi(shop, `/v1/metrics/daily?from=${from}&to=${to}&include=statement`));
  return (
    <Answer of={daily} what="days" rows={8}>
      {({ days }) => (
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" class="number">
                Orders
              </th>
              <th scope="col" class="number">
                {row.label}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.date}>
                <th scope="row">
                  <a
                    class="door"
                    href={linkHere(address, {
                      ...rangeParams({ from: day.date, to: day.date }),
                      view: null,
                      sort: null,
                    })}
                  >
                    {formatDay(day.date, { weekday: true, near: to })}
                  </a>
                </th>
                <td class="number">{formatCount(day.orders)}</td>
                <td class="number">
                  <Amount value={addMoney(...row.of.map((key) => String(amountsOf(day)[key])))} currency={currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Answer>
  );
}
