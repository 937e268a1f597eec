import { useState } from 'preact/hooks';
import type { Shop } from '../../../schemas/app.js';
import type { Address } from '../app/address.js';
import { navigate } from '../app/navigation.js';
import type { Loaded } from './use-read.js';
import { useShopList } from './use-shop-list.js';

/**
 * The shops, and the one that the page is about: that of the address, or where it names none the first open one. Another
 * shop's figures never stand where an unknown one was asked for.
 */
export function useShops({ path, query }: Address): {
  loaded: Loaded<{ shops: Shop[] }>;
  shops: Shop[];
  shop: Shop | undefined;
  /** The shop that the address names and that does not exist. */
  unknown: string | null;
  choose: (id: string) => void;
} {
  const loaded = useShopList();
  const named = query.get('shop');
  const chosen = named === '' ? null : named;
  const [created, setCreated] = useState<string | null>(null);
  const shops = loaded.data?.shops ?? [];
  const listed = (id: string): boolean => shops.some(({ shop_id }) => shop_id === id);
  const first = shops.find(({ closed_at, currency }) => closed_at === null && currency !== null) ?? shops[0];
  const shop = chosen === null ? first : shops.find(({ shop_id }) => shop_id === chosen);
  // One that was just made is not in the list yet, but on its way.
  const isUnknown = loaded.data !== null && chosen !== null && shop === undefined && chosen !== created;
  return {
    loaded,
    shops,
    shop,
    unknown: isUnknown ? chosen : null,
    choose(id) {
      navigate(`${path}?${new URLSearchParams({ shop: id }).toString()}`);
      setCreated(listed(id) ? null : id);
    },
  };
}

/** Says that there is no such shop, and lets the reader take another one. */
export function UnknownShop(props: { id: string; shops: Shop[]; choose: (id: string) => void }) {
  const { id, shops } = props;
  return (
    <div class="empty" role="alert">
      <p>
        There is no shop “{id.slice(0, 64)}” here. {shops.length > 0 && 'These are known:'}
      </p>
      <div class="row">
        {shops.length > 0 && <ShopChoice {...props} />}
        {shops.length === 0 && <a href="/developers">Add a shop under Developers</a>}
      </div>
    </div>
  );
}

export function ShopChoice(props: { shops: Shop[]; shop?: Shop; choose: (id: string) => void }) {
  return (
    <label class="field">
      <span>Shop</span>
      <select value={props.shop?.shop_id ?? ''} onChange={(event) => props.choose(event.currentTarget.value)}>
        {props.shop === undefined && (
          <option value="" disabled>
            Choose a shop
          </option>
        )}
        {props.shops.map(({ shop_id, closed_at }) => (
          <option key={shop_id} value={shop_id}>
            {shop_id}
            {closed_at === null ? '' : ' (closed)'}
          </option>
        ))}
      </select>
    </label>
  );
}
