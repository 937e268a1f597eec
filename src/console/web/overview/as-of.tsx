import { linkHere } from '../app/address.js';
import type { View } from '../app/view.js';
import { formatMoment } from '../shared/days.js';

/** Says that the figures are those of a moment that is over, and leads to those of now. */
export function AsOf({ moment, view }: { moment: string; view: View }) {
  const isMoment = !Number.isNaN(Date.parse(moment));
  return (
    <p class="notice">
      <b>These are the figures as they were{isMoment && ` on ${formatMoment(moment)}`}.</b> What they are made of is
      known of now alone. <a href={linkHere(view.address, { as_of: null })}>Show those of now</a>
    </p>
  );
}

/** The moment of the address, as the end of a query. */
export function asOfParam(moment: string | null): string {
  return moment === null ? '' : `&as_of=${encodeURIComponent(moment)}`;
}
