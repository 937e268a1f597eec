import { linkHere, linkTo } from '../app/address.js';
import type { View } from '../app/view.js';
import type { OrderListResponse } from '../../../schemas/order-reads.js';
import { Answer } from '../shared/frame.js';
import { Pager } from '../shared/pager.js';
import { Search } from '../shared/search.js';
import { isOld, useRead } from '../shared/use-read.js';
import { listPath, PAGE } from './list-params.js';
import { OrderFilters } from './order-filters.js';
import { REFUNDS_NOTE } from './refunds-note.js';
import { OrderTable } from './order-table.js';

/** Orders of the days, sorted, filtered and searched by the service, a page at a time. */
export function Orders({ view }: { view: View }) {
  const { address } = view;
  const answer = useRead<OrderListResponse>(listPath(view));
  return (
    <section class={isOld(answer) ? 'panel flush stale' : 'panel flush'} aria-label="Orders" aria-busy={answer.loading}>
      <div class="filters">
        <Search
          label="Find an order by the beginning of its number or name"
          placeholder="Order number"
          value={address.query.get('q') ?? ''}
          hrefOf={(q) => linkHere(address, { q })}
        />
        <OrderFilters view={view} />
        <a class="chip" href={linkTo(address, address.path, { by: 'country' })}>
          Profit by …
        </a>
      </div>
      <Answer of={answer} what="orders" rows={12}>
        {(page) => (
          <>
            {page.orders.length === 0 ? (
              <p class="empty">No order of these days is found by this.</p>
            ) : (
              <OrderTable page={page} view={view} />
            )}
            <Pager
              address={address}
              next={page.next}
              size={PAGE}
              listed={{ shown: page.orders.length, count: page.count, one: 'order' }}
            />
            <p class="panel-foot">{REFUNDS_NOTE}</p>
          </>
        )}
      </Answer>
    </section>
  );
}
