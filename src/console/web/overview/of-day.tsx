import { linkHere } from '../app/address.js';
import type { View } from '../app/view.js';
import type { ExplainResponse } from '../../../schemas/contributions.js';
import { shopApi } from '../shared/api.js';
import { Answer } from '../shared/frame.js';
import { useRead } from '../shared/use-read.js';
import { EntryTable } from '../sheet/entry-table.js';

const SHOWN = 5;

/** A single day has no course: its newest entries stand in place of the bars. */
export function OfDay({ view }: { view: View }) {
  const { shop, from, to, address } = view;
  const query = `figure=net_profit&from=${from}&to=${to}&sort=time&limit=${SHOWN}`;
  const answer = useRead<ExplainResponse>(shopApi(shop, `/v1/metrics/explain?${query}`));
  return (
    <div class="of-day">
      <div class="row far">
        <h2 class="name">What counts on this day</h2>
        <a href={linkHere(address, { figure: 'net_profit', view: 'entries', sort: null })}>All entries</a>
      </div>
      <Answer of={answer} what="entries" rows={8}>
        {({ entries }) =>
          entries.length === 0 ? <p class="soft">Nothing.</p> : <EntryTable entries={entries} view={view} />
        }
      </Answer>
    </div>
  );
}
