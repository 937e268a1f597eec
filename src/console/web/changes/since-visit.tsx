import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import { Copy } from '../shared/copy.js';
import { formatMoment } from '../shared/days.js';
import { FailureNotice } from '../shared/frame.js';
import { HeadlineAmount } from '../shared/headline-amount.js';
import { addMoney, formatCount } from '../shared/money.js';
import { changedDays, MAX_STEPS, useSince } from '../shared/since.js';
import { moreOf } from './words.js';

/** What changed of the days of the page since the reader was here last: the sum, and how it came about. */
export function SinceVisit({ view, visit }: { view: View; visit: string }) {
  const { shop, from, to, address, currency } = view;
  const answer = useSince().changes;
  const moment = formatMoment(visit);
  const causes = answer.data?.causes ?? [];
  const isWhole = answer.data !== null && answer.data.next === undefined;
  const changed = causes.flatMap(({ figures }) => figures.earnings ?? []);
  const days = answer.data === null ? 0 : changedDays(answer.data);
  const sum = isWhole ? addMoney(...changed.map(moreOf)) : undefined;
  return (
    <section class="panel since" aria-label="Since your last visit" aria-busy={answer.loading}>
      <h2 class="name">Since your last visit, {moment}</h2>
      {answer.failure !== null && <FailureNotice failure={answer.failure} retry={answer.reload} />}
      <div class="row">
        {answer.data !== null && !isWhole ? (
          <span class="loud">More than {MAX_STEPS} steps</span>
        ) : (
          <HeadlineAmount value={sum} currency={currency} isSigned />
        )}
        {sum !== undefined && <Copy value={sum} />}
      </div>
      <p class="soft">
        {answer.data !== null && (
          <>
            {isWhole &&
              (changed.length === 0 ? (
                'The earnings of no past day of these changed. '
              ) : (
                <>
                  Earnings of <b>{`${formatCount(days)} past ${days === 1 ? 'day' : 'days'}`}</b> changed, in{' '}
                  {changed.length === 1 ? '1 step' : `${formatCount(changed.length)} steps`}.{' '}
                </>
              ))}
            What you saw then is kept:{' '}
            <a href={linkTo(address, pathOf(shop, 'overview'), { from, to, range: null, as_of: visit })}>
              show the figures of {moment}
            </a>
            .
          </>
        )}
      </p>
    </section>
  );
}
