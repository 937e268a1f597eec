import type { View } from '../app/view.js';
import { shopApi } from '../shared/api.js';
import type { DailyAnswer } from '../shared/answers.js';
import { lengthOf } from '../shared/days.js';
import { Trouble } from '../shared/frame.js';
import { useRead } from '../shared/use-read.js';
import { asOfParam } from './as-of.js';
import { Bars } from './bars.js';

/** More days than this are drawn by week. */
const MOST_DAYS = 92;

/** Earnings day by day; a single day has no course. */
export function Days({ view, isOneDay }: { view: View; isOneDay: boolean }) {
  const { shop, from, to } = view;
  const by = lengthOf({ from, to }) > MOST_DAYS ? 'week' : 'day';
  const asOf = view.address.query.get('as_of');
  const query = `from=${from}&to=${to}&include=statement${by === 'day' ? '' : `&by=${by}`}${asOfParam(asOf)}`;
  const daily = useRead<DailyAnswer>(isOneDay ? null : shopApi(shop, `/v1/metrics/daily?${query}`));
  if (isOneDay) return null;
  return (
    <div class="days">
      <h2 class="name">Earnings by {by}</h2>
      {daily.failure !== null && (
        <Trouble failure={daily.failure} retry={daily.reload} note="Only the bars are missing." />
      )}
      <Bars days={daily.data?.days ?? []} by={by} view={view} />
    </div>
  );
}
