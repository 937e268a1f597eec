import { Amount } from '../shared/amount.js';
import { comparableOf, type ComparedAnswer } from '../shared/answers.js';
import { formatRange } from '../shared/days.js';
import { changeOf } from '../shared/money.js';

/** How the earnings changed; in percent only of a base above zero, and where both periods have orders. */
export function Delta({ now, currency }: { now: ComparedAnswer; currency: string }) {
  if (now.compared === undefined) return null;
  const days = formatRange(now.compared, now.to);
  const before = comparableOf(now);
  const change = before && changeOf(now.statement.earnings, before.statement.earnings);
  if (!change) return <>No orders in {days} to compare with.</>;
  const percent = now.orders > 0 ? change.percent : null;
  const { direction } = change;
  return (
    <>
      <strong class={direction === 'flat' ? '' : direction === 'up' ? 'better' : 'worse'}>
        <Amount value={change.difference} currency={currency} signed />
        {percent !== null && ` (${percent})`}
      </strong>{' '}
      than {days}
    </>
  );
}
