import { linkHere } from '../app/address.js';
import { periodOf, type Period } from '../app/periods.js';
import type { View } from '../app/view.js';
import type { DailyAnswer } from '../shared/answers.js';
import { Failed } from '../shared/frame.js';
import type { Loaded } from '../shared/use-read.js';
import { Bars } from './bars.js';

const CHOICES: readonly { id: Period; label: string }[] = [
  { id: 'day', label: 'Day' },
  { id: 'week', label: 'Week' },
];

/** Earnings day by day or week by week, over those of the days that they are compared with. */
export function Days({ view, daily }: { view: View; daily: Loaded<DailyAnswer> }) {
  const { by, isFree } = periodOf(view, view.address.query);
  const before = daily.data?.compared?.days ?? [];
  const isCompared = before.some(({ orders }) => orders > 0);
  return (
    <div class="day-bars">
      <div class="row far">
        <h2 class="name">Earnings by {by}</h2>
        {view.vs !== 'none' && (
          <span class={isCompared ? 'small soft compared' : 'small soft compared unknown'}>before</span>
        )}
        {isFree && (
          <span class="segments" role="group" aria-label="Show by">
            {CHOICES.map(({ id, label }) => (
              <a
                key={id}
                href={linkHere(view.address, { by: id === 'day' ? null : id })}
                aria-current={id === by ? 'true' : undefined}
              >
                {label}
              </a>
            ))}
          </span>
        )}
      </div>
      <Failed of={daily} what="bars" />
      <Bars days={daily.data?.days ?? []} before={isCompared ? before : []} by={by} view={view} />
    </div>
  );
}
