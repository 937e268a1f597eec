import type { View } from '../app/view.js';
import type { CauseEntry } from '../../../schemas/restatement-causes.js';
import { Amount } from '../shared/amount.js';
import { formatShopMoment } from '../shared/days.js';
import { addMoney, formatCount, negated } from '../shared/money.js';
import { ChangedFigures } from './changed-figures.js';
import { causeName } from './words.js';

/** What pushes of one kind changed: by how much the earnings, and on request every figure. */
export function Cause({ cause, view }: { cause: CauseEntry; view: View }) {
  const { at, days, names, receipts, figures } = cause;
  const earnings = figures.earnings;
  return (
    <li>
      <div class="row far">
        <b>{causeName(cause)}</b>
        {earnings === undefined ? (
          <span class="soft">earnings unchanged</span>
        ) : (
          <span>
            <span class="soft">earnings </span>
            <Amount
              value={addMoney(String(earnings.after), negated(String(earnings.before)))}
              currency={view.currency}
              signed
            />
          </span>
        )}
      </div>
      <p class="sub">
        {[
          formatShopMoment(at, view.timezone),
          `${formatCount(days)} ${days === 1 ? 'day' : 'days'}`,
          ...(names.length === 0 ? [] : [names.join(', ')]),
          ...(receipts.length === 0
            ? []
            : [`${formatCount(receipts.length)} ${receipts.length === 1 ? 'push' : 'pushes'}`]),
        ].join(' · ')}
      </p>
      <details>
        <summary>Before and after</summary>
        <ChangedFigures figures={figures} currency={view.currency} />
      </details>
    </li>
  );
}
