import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import type { Contribution } from '../../../schemas/contributions.js';
import { Amount } from '../shared/amount.js';
import { formatDay, formatTime } from '../shared/days.js';
import { formatExactMoney } from '../shared/money.js';
import { KINDS, subjectOf } from './entry-words.js';

/** Entries; one of an order leads to it. */
export function EntryTable({ entries, view }: { entries: readonly Contribution[]; view: View }) {
  const { shop, address, currency } = view;
  return (
    <table class="entries">
      <thead>
        <tr>
          <th scope="col">Entry</th>
          <th scope="col">Of</th>
          <th scope="col" class="number">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, i) => {
          const { kind, order_id: order, refund_id: refund, refunded_at: at, order_total: paid } = entry;
          const name = refund === undefined ? KINDS[kind] : `${KINDS[kind]} ${refund}`;
          return (
            <tr key={i}>
              <th scope="row">
                {order === undefined ? (
                  name
                ) : (
                  <a class="door" href={linkTo(address, pathOf(shop, 'orders', order), { refund: refund ?? null })}>
                    {name}
                  </a>
                )}
                <span class="sub">
                  {formatDay(entry.date, { near: view.to, weekday: true })}
                  {at !== undefined && `, ${formatTime(at)}`}
                </span>
              </th>
              <td>
                {order !== undefined && `Order ${order}`}
                <span class="sub">
                  {paid !== undefined && `paid ${formatExactMoney(paid, currency)}`}
                  {subjectOf(entry, currency)}
                </span>
              </td>
              <td class="number">
                <Amount value={entry.amount} currency={currency} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
