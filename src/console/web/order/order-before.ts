import { parsePath, type Address } from '../app/address.js';
import { addressBefore } from '../app/navigation.js';
import type { View } from '../app/view.js';
import { pageOf } from '../shared/pager.js';

/** The last order of the page before, which only the step from it to here knows: a cursor leads forward alone. */
export function orderBefore({ address }: View): string | null {
  const url = addressBefore();
  if (url === null) return null;
  const before: Address = { place: parsePath(url.pathname), path: url.pathname, query: url.searchParams };
  const isStep = before.place.page === 'order' && pageOf(before) === pageOf(address) - 1;
  return isStep ? url.pathname + url.search : null;
}
