import { linkHere } from '../app/address.js';
import type { View } from '../app/view.js';
import type { ExplainableFigure } from '../../../domain/metrics/figure-list.js';
import type { ExplainResponse } from '../../../schemas/contributions.js';
import { shopApi } from '../shared/api.js';
import { CsvLink } from '../shared/csv-link.js';
import { Answer } from '../shared/frame.js';
import { formatCount } from '../shared/money.js';
import { isOld, useRead } from '../shared/use-read.js';
import { rowOf } from '../statement/rows.js';
import { Concentration } from './concentration.js';
import { EntryTable } from './entry-table.js';

const SORTS = [
  { id: 'amount', label: 'Largest first' },
  { id: 'time', label: 'Newest first' },
] as const;
const PAGE = 25;

/** What a figure is made of, entry by entry (`GET /v1/metrics/explain`), a page at a time. */
export function Entries({ figure, view }: { figure: ExplainableFigure; view: View }) {
  const { shop, from, to, address } = view;
  const usual = from === to ? 'time' : 'amount';
  const sort = SORTS.find(({ id }) => id === address.query.get('sort'))?.id ?? usual;
  const cursor = address.query.get('cursor');
  const query = new URLSearchParams({ figure, from, to, sort, limit: String(PAGE), ...(cursor && { cursor }) });
  const answer = useRead<ExplainResponse>(shopApi(shop, `/v1/metrics/explain?${query.toString()}`));
  const isTaken = rowOf(figure)?.kind === 'less';
  return (
    <>
      <p class="sheet-sort" role="group" aria-label="Order of the entries">
        {SORTS.map(({ id, label }) => (
          <a
            key={id}
            class={id === sort ? 'chip on' : 'chip'}
            href={linkHere(address, { view: 'entries', sort: id === usual ? null : id })}
            aria-current={id === sort ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </p>
      <div class={isOld(answer) ? 'sheet-page stale' : 'sheet-page'} aria-busy={answer.loading}>
        <Answer of={answer} what="entries" rows={8}>
          {(page) =>
            page.entries.length === 0 ? (
              <p class="empty">Nothing counts on these days.</p>
            ) : (
              <>
                {sort === 'amount' && cursor === null && isTaken && <Concentration page={page} view={view} />}
                <EntryTable entries={page.entries} view={view} />
                <footer>
                  <span class="small soft">
                    {formatCount(page.count)} {page.count === 1 ? 'entry' : 'entries'}, together the figure
                    {cursor !== null && (
                      <>
                        {' · '}
                        <a href={linkHere(address, { view: 'entries' })}>first page</a>
                      </>
                    )}
                  </span>
                  <CsvLink shop={shop} path={`/v1/metrics/explain?figure=${figure}&from=${from}&to=${to}`} />
                  {page.next !== undefined && (
                    <a class="button" href={linkHere(address, { view: 'entries', cursor: page.next })}>
                      Next {PAGE}
                    </a>
                  )}
                </footer>
              </>
            )
          }
        </Answer>
      </div>
    </>
  );
}
