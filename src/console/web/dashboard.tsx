import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { Attribution } from './dashboard/attribution.js';
import { Connections } from './dashboard/connections.js';
import { Figures } from './dashboard/figures.js';
import { Ingest } from './dashboard/ingest.js';
import { RangeChoice, useRange } from './dashboard/range-choice.js';
import { formatRange, periodBefore, todayIn, type Range } from './shared/days.js';
import { Answer, Frame } from './shared/frame.js';
import { ShopChoice, UnknownShop, useShops } from './shared/shop-choice.js';
import type { Shop } from '../../schemas/app.js';
import { Refreshed, useRefresh } from './shared/use-read.js';

function Dashboard() {
  const { loaded, shops, shop, unknown, choose } = useShops();
  return (
    <Frame shop={shop?.shop_id}>
      <Answer of={loaded} what="shops" />
      {unknown !== null && (
        <>
          <h1>Unknown shop</h1>
          <UnknownShop id={unknown} shops={shops} choose={choose} />
        </>
      )}
      {loaded.data !== null && shop === undefined && unknown === null && (
        <>
          <h1>Welcome</h1>
          <p class="empty">
            There is no shop yet. <a href="/developers">Add one under Developers</a>, or import a real month with{' '}
            <code>npm run demo</code>.
          </p>
        </>
      )}
      {shop !== undefined && <ShopDashboard key={shop.shop_id} shop={shop} shops={shops} choose={choose} />}
    </Frame>
  );
}

function ShopDashboard({ shop, shops, choose }: { shop: Shop; shops: Shop[]; choose: (id: string) => void }) {
  const timezone = shop.timezone ?? 'UTC';
  const chosen = useRange(timezone);
  const { range, setRange } = chosen;
  const [refreshed, refresh] = useRefresh();
  useEffect(() => {
    document.title = `${shop.shop_id} · Profit metrics`;
  }, [shop.shop_id]);
  return (
    <Refreshed.Provider value={refreshed}>
      <div class="page-head">
        <div>
          <h1>{shop.shop_id}</h1>
          <p class="note">
            <RangeNote range={range} timezone={timezone} />
            {shop.closed_at !== null && ' · this shop is closed'}
          </p>
        </div>
        <div class="row">
          {shops.length > 1 && <ShopChoice shops={shops} shop={shop} choose={choose} />}
          <RangeChoice {...chosen} timezone={timezone} />
          <button type="button" onClick={refresh}>
            Refresh
          </button>
        </div>
      </div>
      {chosen.refused !== '' && (
        <p class="warn" role="alert">
          {chosen.refused}
        </p>
      )}
      {shop.currency === null ? (
        <p class="empty">
          This shop has not told its currency and time zone yet: send <code>PUT /v1/source</code> with a secret key. The
          steps are under <a href={`/developers?shop=${shop.shop_id}`}>Developers</a>.
        </p>
      ) : (
        <>
          <Figures shop={shop.shop_id} range={range} setRange={setRange} />
          <Attribution shop={shop.shop_id} range={range} currency={shop.currency} />
        </>
      )}
      <div class="columns two">
        <Ingest shop={shop.shop_id} />
        <Connections shop={shop.shop_id} />
      </div>
    </Refreshed.Provider>
  );
}

function RangeNote({ range, timezone }: { range: Range; timezone: string }) {
  return (
    <>
      {formatRange(range)}, days in {timezone}, compared with {formatRange(periodBefore(range))}
      {range.to === todayIn(timezone) && ' · today is not over yet'}
    </>
  );
}

const app = document.getElementById('app');
if (app !== null) render(<Dashboard />, app);
