import { Amount } from '../shared/amount.js';
import { comparableOf, type ComparedAnswer } from '../shared/answers.js';
import { formatRange } from '../shared/days.js';
import { changeOf, negated } from '../shared/money.js';
import { leftOutOf, verdictOf } from '../statement/verdict.js';

/** How the earnings changed; in percent only of a base above zero, where both periods have orders and all of both is known. */
export function Delta({ now, currency }: { now: ComparedAnswer; currency: string }) {
  if (now.compared === undefined) return null;
  const days = formatRange(now.compared, now.to);
  const before = comparableOf(now);
  const change = before && changeOf(now.statement.earnings, before.statement.earnings);
  if (!before || !change) return <>No orders in {days} to compare with.</>;
  const isKnown = [now, before].every((answer) => verdictOf(answer.coverage, leftOutOf(answer)).word === '');
  const percent = now.orders > 0 && isKnown ? change.percent : null;
  const { direction, difference } = change;
  if (direction === 'flat') return <>As much as in {days}.</>;
  return (
    <>
      <strong class={direction === 'up' ? 'better' : 'worse'}>
        <Amount value={direction === 'up' ? difference : negated(difference)} currency={currency} />{' '}
        {direction === 'up' ? 'more' : 'less'}
        {percent !== null && ` (${percent})`}
      </strong>{' '}
      than {days}
    </>
  );
}
