import { useState } from 'preact/hooks';
import { linkTo, pathOf } from '../app/address.js';
import { rangeParams } from '../app/range.js';
import type { View } from '../app/view.js';
import type { CauseEntry } from '../../../schemas/restatement-causes.js';
import { Amount } from '../shared/amount.js';
import { formatDay } from '../shared/days.js';
import { numbers, Table, words } from '../shared/table.js';
import { moreOf } from './words.js';

const FIRST = 6;

/** The earnings of each day that changed: before, after, and the difference. */
export function ChangedDays({ days, view }: { days: NonNullable<CauseEntry['by_day']>; view: View }) {
  const [all, setAll] = useState(false);
  const { address, currency, shop } = view;
  const rest = days.length - FIRST;
  return (
    <div class="changed-days">
      <Table label="Days that changed" columns={[...words('Day'), ...numbers('Before', 'After', 'Change')]}>
        {(all ? days : days.slice(0, FIRST)).map((day) => (
          <tr key={day.date} data-day={day.date}>
            <th scope="row">
              <a
                class="door"
                href={linkTo(address, pathOf(shop, 'overview'), {
                  ...rangeParams({ from: day.date, to: day.date }),
                  figure: 'earnings',
                })}
              >
                {formatDay(day.date, { weekday: true })}
              </a>
              <span class="sub phone-only">
                <Amount value={String(day.before)} currency={currency} /> →{' '}
                <Amount value={String(day.after)} currency={currency} />
              </span>
            </th>
            <td class="number">
              <Amount value={String(day.before)} currency={currency} />
            </td>
            <td class="number">
              <Amount value={String(day.after)} currency={currency} />
            </td>
            <td class="number">
              <Amount value={moreOf(day)} currency={currency} signed />
            </td>
          </tr>
        ))}
      </Table>
      {!all && rest > 0 && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          {rest === 1 ? '1 more day' : `${rest} more days`}
        </button>
      )}
    </div>
  );
}
