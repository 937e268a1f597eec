import { useEffect, useState } from 'preact/hooks';
import type { FoundRefunds } from '../../../schemas/app.js';
import type { OrderListResponse } from '../../../schemas/order-reads.js';
import type { ProductsResponse } from '../../../schemas/products.js';
import { pathOf } from '../app/address.js';
import { shopApi, type Failure } from '../shared/api.js';
import { addDays, formatDay, todayIn } from '../shared/days.js';
import { useRead } from '../shared/use-read.js';
import { useShopList } from '../shared/use-shop-list.js';
import type { Found } from './found.js';
import { usePages } from './use-pages.js';

export interface FindPlace {
  shop: string | undefined;
  timezone: string | null;
  /** The days that are kept from page to page: a query without its question mark. */
  days: string;
}

/** Of each kind. */
const MAX_FOUND = 5;
const SHORTEST = 2;
const PAUSE_MS = 250;
/** Orders and products are looked for in so many days. */
const DAYS = 366;

/** What begins with a text: of the shop alone, read once the typing pauses. */
export function useFound(
  { shop, timezone, days }: FindPlace,
  text: string,
): { groups: { name: string; found: Found[] }[]; isReading: boolean; failure: Failure | null } {
  const wanted = text.trim();
  const isLong = Array.from(wanted).length >= SHORTEST;
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(isLong ? wanted : ''), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);

  const to = new URLSearchParams(days).get('to') ?? todayIn(timezone ?? 'UTC');
  const range = { from: isNaN(Date.parse(to)) ? to : addDays(to, 1 - DAYS), to };
  const query = new URLSearchParams({ ...range, q: asked, limit: String(MAX_FOUND) }).toString();
  const pathTo = (list: string) => (shop === undefined || asked === '' ? null : shopApi(shop, `/${list}?${query}`));
  const orders = useRead<OrderListResponse>(pathTo('v1/orders'));
  const products = useRead<ProductsResponse>(pathTo('v1/products'));
  const refunds = useRead<FoundRefunds>(pathTo('refunds'));
  const shops = useShopList();
  const pages = usePages(shop, days);

  // What an earlier text found stays as far as it fits this one.
  const begins = (...names: (string | null | undefined)[]): boolean =>
    names.some((name) => name?.toLowerCase().startsWith(wanted.toLowerCase()));
  const contains = (name: string): boolean => name.toLowerCase().includes(wanted.toLowerCase());
  const kept = days === '' ? '' : `?${days}`;
  const listed = (page: 'orders' | 'products', q: string): string =>
    `${pathOf(shop ?? '', page)}?${new URLSearchParams({ ...range, q }).toString()}`;
  const ofOrders = (isLong ? (orders.data?.orders ?? []) : [])
    .filter(({ order_id, order_name }) => begins(order_id, order_name))
    .map(({ order_id, order_name, day, profit }): Found => ({
      href: pathOf(shop ?? '', 'orders', order_id) + kept,
      label: order_name ?? order_id,
      about: formatDay(day),
      amount: { value: profit, currency: orders.data?.currency ?? '' },
    }));
  const ofProducts = (isLong ? (products.data?.products ?? []) : [])
    .filter(({ sku, title }) => sku !== null && begins(sku, title))
    .map(({ sku, title }): Found => ({ href: listed('products', sku ?? ''), label: sku ?? '', about: title ?? '' }));
  const ofRefunds = (isLong ? (refunds.data?.refunds ?? []) : [])
    .filter(({ refund_id }) => begins(refund_id))
    .map(({ refund_id, order_id, total }): Found => ({
      href: `${pathOf(shop ?? '', 'orders', order_id)}?${new URLSearchParams([...new URLSearchParams(days), ['refund', refund_id]]).toString()}`,
      label: refund_id,
      about: `of order ${order_id}`,
      amount: { value: total, currency: refunds.data?.currency ?? '' },
    }));
  const ofShops = (wanted === '' ? [] : (shops.data?.shops ?? []))
    .filter(({ shop_id }) => shop_id !== shop && contains(shop_id))
    .slice(0, MAX_FOUND)
    .map(({ shop_id }): Found => ({ href: pathOf(shop_id, 'overview'), label: shop_id, about: '' }));
  const ofPages = pages.filter(({ label }) => contains(label)).slice(0, wanted === '' ? undefined : MAX_FOUND);
  const ofAll: Found[] =
    shop === undefined || !isLong
      ? []
      : [{ href: listed('orders', wanted), label: `All orders with “${wanted}”`, about: '' }];
  const groups = [
    { name: 'Orders', found: ofOrders },
    { name: 'Refunds', found: ofRefunds },
    { name: 'Products', found: ofProducts },
    { name: 'Shops', found: ofShops },
    { name: 'Pages', found: [...ofPages, ...ofAll] },
  ];
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    isReading: orders.loading || refunds.loading || products.loading || (isLong && asked !== wanted),
    failure: orders.failure ?? refunds.failure ?? products.failure,
  };
}
