import { useState } from 'preact/hooks';
import type { Shop } from './types.js';
import { useRead, type Loaded } from './use-read.js';

/** Replaces parameters of the page's address, so that it can be loaded again or sent on. */
export function remember(values: Record<string, string>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  history.replaceState(null, '', url);
}

export function remembered(name: string): string | null {
  return new URL(location.href).searchParams.get(name);
}

/** The shops, and the one that the page is about: that of the address, else the first open one. */
export function useShops(): {
  loaded: Loaded<{ shops: Shop[] }>;
  shops: Shop[];
  shop: Shop | undefined;
  choose: (id: string) => void;
} {
  const loaded = useRead<{ shops: Shop[] }>('/app/api/shops');
  const [chosen, setChosen] = useState(remembered('shop'));
  const [created, setCreated] = useState<string | null>(null);
  const shops = loaded.data?.shops ?? [];
  const listed = (id: string): boolean => shops.some(({ shop_id }) => shop_id === id);
  // A shop that was just made is not in the list yet: until it is, the page is about none rather than about another one.
  const awaited = created !== null && !listed(created);
  const shop = awaited
    ? undefined
    : (shops.find(({ shop_id }) => shop_id === chosen) ??
      shops.find(({ closed_at, currency }) => closed_at === null && currency !== null) ??
      shops[0]);
  return {
    loaded,
    shops,
    shop,
    choose(id) {
      remember({ shop: id });
      setChosen(id);
      setCreated(listed(id) ? null : id);
    },
  };
}

export function ShopChoice(props: { shops: Shop[]; shop: Shop; choose: (id: string) => void }) {
  return (
    <label class="field">
      <span>Shop</span>
      <select value={props.shop.shop_id} onChange={(event) => props.choose(event.currentTarget.value)}>
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
