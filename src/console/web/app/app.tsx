import { useEffect, useRef } from 'preact/hooks';
import { change, shopApi } from '../shared/api.js';
import { showMomentsIn } from '../shared/clocks.js';
import { FindButton } from '../find/find-button.js';
import { Answer, Frame } from '../shared/frame.js';
import { NAMES } from '../shared/navigation.js';
import { SinceVisitKnown } from '../shared/since.js';
import { SignedIn } from '../shared/signed-in.js';
import { Refreshed, useRefresh } from '../shared/use-read.js';
import { useShopList } from '../shared/use-shop-list.js';
import { Shops } from '../shops/shops.js';
import { aboutOf } from '../shared/zone.js';
import { linkTo, pathOf, type PageName, type Place } from './address.js';
import { AppKeys } from './app-keys.js';
import { useAddress } from './navigation.js';
import { ShopPage } from './shop-page.js';
import { Unknown } from './unknown.js';

/** The page that the address names. */
export function App() {
  const address = useAddress();
  const { place } = address;
  const [refreshed] = useRefresh();
  const loaded = useShopList();
  const shops = loaded.data?.shops;
  const name = 'shop' in place ? place.shop : undefined;
  const shop = shops?.find(({ shop_id }) => shop_id === name);
  showMomentsIn(shop?.timezone ?? null);
  const current = currentOf(place);
  /** Other pages show a count of what changed since the last visit: they do not read it again. */
  const sinceRefreshed = useRef(0);
  if (current === 'overview' || current === 'changes') sinceRefreshed.current = refreshed;
  const days = new URL(linkTo(address, address.path), location.href).search.slice(1);

  const only = place.page === 'shops' && shops?.length === 1 ? shops[0] : undefined;
  useEffect(() => {
    if (only === undefined) return;
    history.replaceState(null, '', pathOf(only.shop_id, 'overview') + location.search);
    dispatchEvent(new PopStateEvent('popstate'));
  }, [only]);
  useEffect(() => {
    // Without it the next visit shows changes since an earlier one.
    if (shop?.currency != null) change(shopApi(shop.shop_id, '/visit')).catch(() => undefined);
  }, [shop?.shop_id, address]);
  useEffect(() => {
    // A first order, another shop or an alert changes what is shown, and so does a store that is back.
    if (shop === undefined ? refreshed > 0 : !shop.has_orders || loaded.failure !== null) loaded.reload();
  }, [shop?.shop_id, refreshed]);
  useEffect(() => {
    const page = place.page === 'order' ? `Order ${place.order}` : current === undefined ? 'Shops' : NAMES[current];
    document.title = `${page}${name === undefined ? '' : ` · ${name}`} · Profit metrics`;
  }, [address.path]);

  return (
    <Refreshed.Provider value={refreshed}>
      <SignedIn>
        <AppKeys shop={name} address={address} />
        <Refreshed.Provider value={sinceRefreshed.current}>
          <SinceVisitKnown shop={shop} address={address}>
            <Refreshed.Provider value={refreshed}>
              <Frame
                shop={shops === undefined ? name : shop?.shop_id}
                current={
                  place.page === 'shops' ? 'shops' : shops !== undefined && shop === undefined ? undefined : current
                }
                days={days}
                find={<FindButton shop={name} timezone={shop?.timezone ?? null} days={days} />}
                about={place.page === 'shops' && shops !== undefined ? `${shops.length} shops` : aboutOf(shop)}
              >
                {shops === undefined ? (
                  <Answer of={loaded} what="shops" />
                ) : place.page === 'shops' ? (
                  only === undefined && <Shops shops={shops} address={address} />
                ) : shop === undefined || place.page === 'unknown' ? (
                  <Unknown place={place} isShopKnown={shop !== undefined} shops={shops} />
                ) : (
                  <ShopPage
                    key={shop.shop_id}
                    shop={shop}
                    shops={shops}
                    address={address}
                    place={place}
                    onChanged={loaded.reload}
                  />
                )}
              </Frame>
            </Refreshed.Provider>
          </SinceVisitKnown>
        </Refreshed.Provider>
      </SignedIn>
    </Refreshed.Provider>
  );
}

/** The page of the navigation that the place belongs to. */
function currentOf({ page }: Place): PageName | 'settings' | undefined {
  if (page === 'order') return 'orders';
  if (page === 'upload') return 'settings';
  return page === 'shops' || page === 'unknown' ? undefined : page;
}
