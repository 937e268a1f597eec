import type { Address } from '../app/address.js';
import { FILTERS } from '../app/csv-path.js';
import type { View } from '../app/view.js';
import { shopApi } from '../shared/api.js';

/** Orders of a page. */
export const PAGE = 25;

/** What of an address says which list of orders it is, and which page of it. */
export function listParams({ query }: Address): Record<string, string | null> {
  return Object.fromEntries([...FILTERS.orders, 'cursor', 'page'].map((name) => [name, query.get(name)]));
}

/** A page of a list, that which the address names by default, as the API is asked for it. */
export function listPath({ shop, from, to, address }: View, page = listParams(address)): string {
  const query = new URLSearchParams({ from, to, limit: String(PAGE) });
  for (const [name, value] of Object.entries(page)) if (value !== null && name !== 'page') query.set(name, value);
  return shopApi(shop, `/v1/orders?${query.toString()}`);
}
