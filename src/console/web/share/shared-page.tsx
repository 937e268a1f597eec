import type { SharedView } from '../../../schemas/people.js';
import { formatMoment, formatRange } from '../shared/days.js';
import { SharedChannels } from './shared-channels.js';
import { SharedDays } from './shared-days.js';
import { SharedStatement } from './shared-statement.js';
import { useShared } from './use-shared.js';

/** Figures of a shop for the holder of a link, with no way further in. */
export function SharedPage() {
  const { data: view, failure } = useShared<SharedView>('/app/api/share');
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
              Amounts in {view.currency}, days in {view.timezone}. This link works until {formatMoment(view.until)}.
            </p>
            <SharedStatement currency={view.currency} />
            <SharedDays currency={view.currency} />
            <SharedChannels currency={view.currency} />
          </div>
        )}
      </div>
    </main>
  );
}
