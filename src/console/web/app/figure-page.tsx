import { Changes } from '../changes/changes.js';
import { Channels } from '../channels/channels.js';
import { Customers } from '../customers/customers.js';
import { Order } from '../order/order.js';
import { Breakdown } from '../orders/breakdown.js';
import { Orders } from '../orders/orders.js';
import { AlertBar } from '../overview/alert-bar.js';
import { Overview } from '../overview/overview.js';
import { Products } from '../products/products.js';
import { SideBySide } from '../statement/side-by-side.js';
import { CsvLink } from '../shared/csv-link.js';
import { NAMES } from '../shared/navigation.js';
import { linkTo, type PageName } from './address.js';
import { columnsOf } from './columns.js';
import { csvPath } from './csv-path.js';
import { rangeOf } from './range.js';
import { RangeChoice } from './range-choice.js';
import { Share } from './share.js';
import type { FigurePlace, ShopPageProps } from './shop-place.js';
import type { View } from './view.js';

/** A page with figures of the days that the address asks for. */
export function FigurePage({ shop, address, place, currency }: ShopPageProps<FigurePlace> & { currency: string }) {
  const timezone = shop.timezone ?? 'UTC';
  const asked = rangeOf(address.query, timezone);
  if ('fault' in asked) {
    return (
      <div role="alert" class="empty">
        <h1>The days in the address can’t be shown</h1>
        <p>{asked.fault}</p>
        <p>
          <a href={linkTo(address, address.path, { range: null, from: null, to: null, vs: null })}>
            Show the last 30 days
          </a>
        </p>
      </div>
    );
  }
  const view: View = { shop: shop.shop_id, currency, timezone, address, vs: asked.vs, ...asked.range };
  if (place.page === 'order') return <Order view={view} id={place.order} />;
  const csv = csvPath(place.page, view);
  return (
    <>
      <div class="head has-range">
        <h1>{NAMES[place.page]}</h1>
        <RangeChoice
          view={view}
          preset={asked.preset}
          isCompared={place.page === 'overview' && columnsOf(address.query) === null}
        />
        <Share view={view} />
        {csv !== null && <CsvLink shop={shop.shop_id} path={csv} />}
      </div>
      {place.page === 'overview' && <AlertBar shop={shop} />}
      <Page name={place.page} view={view} />
    </>
  );
}

function Page({ name, view }: { name: PageName; view: View }) {
  switch (name) {
    case 'orders':
      return view.address.query.has('by') ? <Breakdown view={view} /> : <Orders view={view} />;
    case 'products':
      return <Products view={view} />;
    case 'customers':
      return <Customers view={view} />;
    case 'changes':
      return <Changes view={view} />;
    case 'channels':
      return <Channels view={view} />;
    default: {
      const by = columnsOf(view.address.query);
      return by === null ? <Overview view={view} /> : <SideBySide view={view} by={by} />;
    }
  }
}
