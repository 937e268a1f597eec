import type { SharedView } from '../../../schemas/people.js';
import { showMomentsIn } from '../shared/clocks.js';
import { formatRange, formatUntil } from '../shared/days.js';
import type { MetricsAnswer } from '../shared/answers.js';
import { zoneName } from '../shared/zone.js';
import { SharedChannels } from './shared-channels.js';
import { SharedDays } from './shared-days.js';
import { SharedStatement } from './shared-statement.js';
import { useShared } from './use-shared.js';

/** Figures of a shop for the holder of a link, with no way further in. */
export function SharedPage() {
  const { data: view, failure } = useShared<SharedView>('/app/api/share');
  const statement = useShared<MetricsAnswer>('/app/api/share/statement');
  showMomentsIn(view?.timezone ?? null);
  if (failure !== null) {
    return (
      <main class="sign-in">
        <div class="panel" role="alert">
          <h1>Nothing to show</h1>
          <p>{failure.message}</p>
        </div>
      </main>
    );
  }
  return (
    <main class="main shared">
      <div class="wrap">
        <div class="head">
          <h1>{view === null ? 'Figures' : `${view.shop_id}, ${formatRange(view)}`}</h1>
        </div>
        {view !== null && (
          <div class="stack">
            <p class="note">
              Amounts in {view.currency}, days in {zoneName(view.timezone)}. This link works until{' '}
              {formatUntil(view.until)}.
            </p>
            <SharedStatement currency={view.currency} answer={statement} />
            <SharedDays currency={view.currency} />
            <SharedChannels currency={view.currency} statement={statement} />
          </div>
        )}
      </div>
    </main>
  );
}
