import type { View } from '../app/view.js';
import type { CauseEntry } from '../../../schemas/restatement-causes.js';
import { Amount } from '../shared/amount.js';
import { formatMoment } from '../shared/days.js';
import { Icon } from '../shared/icon.js';
import { formatCount } from '../shared/money.js';
import { ChangedDays } from './changed-days.js';
import { ChangedFigures } from './changed-figures.js';
import { Receipt } from './receipt.js';
import { causeName } from './cause-name.js';
import { ICONS, moreOf } from './words.js';

interface Props {
  cause: CauseEntry;
  view: View;
  /** Every figure over all days, in place of the earnings by day. */
  isEvery: boolean;
  isOpen: boolean;
}

/** What pushes of one kind changed: by how much the earnings, and on request each day or every figure. */
export function Cause({ cause, view, isEvery, isOpen }: Props) {
  const { at, kind, days, names, receipts, figures, by_day: byDay = [] } = cause;
  const { earnings } = figures;
  const daysText = `${formatCount(days)} ${days === 1 ? 'day' : 'days'}`;
  return (
    <li>
      <span class="tick">
        <Icon name={ICONS[kind]} />
      </span>
      <div>
        <b>{causeName(cause)}</b>
        <p class="sub">
          {[formatMoment(at), ...(names.length === 0 ? [] : [names.join(', ')]), daysText].join(' · ')}
          {receipts[0] !== undefined && (
            <>
              {' · '}
              {receipts.length === 1 ? 'receipt' : `the last of ${formatCount(receipts.length)} receipts`}{' '}
              <Receipt shop={view.shop} receipt={receipts[0]} />
            </>
          )}
        </p>
      </div>
      <div class="number">
        {earnings === undefined ? (
          <span class="soft">unchanged</span>
        ) : (
          <Amount value={moreOf(earnings)} currency={view.currency} signed />
        )}
        <span class="sub">earnings</span>
      </div>
      {(isEvery || byDay.length > 0) && (
        <details open={isOpen}>
          <summary>Before and after</summary>
          {isEvery ? (
            <ChangedFigures figures={figures} currency={view.currency} />
          ) : (
            <ChangedDays days={byDay} view={view} />
          )}
        </details>
      )}
    </li>
  );
}
