import { Amount } from '../shared/amount.js';
import type { MetricsAnswer } from '../shared/answers.js';
import { formatRange } from '../shared/days.js';
import { changeOf } from '../shared/money.js';

/** How the earnings changed; in percent only of a base above zero, and where both periods have orders. */
export function Delta({ now, before, currency }: { now: MetricsAnswer; before: MetricsAnswer; currency: string }) {
  const change = changeOf(now.statement.earnings, before.statement.earnings);
  if (change === null) return null;
  const percent = now.orders > 0 && before.orders > 0 ? change.percent : null;
  const { direction } = change;
  return (
    <>
      <strong class={direction === 'flat' ? '' : direction === 'up' ? 'better' : 'worse'}>
        <Amount value={change.difference} currency={currency} signed />
        {percent !== null && ` (${percent})`}
      </strong>{' '}
      than {formatRange(before)}
    </>
  );
}
