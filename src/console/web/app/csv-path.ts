import type { PageName } from './address.js';
import { periodOf } from './periods.js';
import type { View } from './view.js';

const FILTERS: Partial<Record<PageName, readonly string[]>> = {
  orders: [
    'sort',
    'order',
    'q',
    'status',
    'counted',
    'refunded',
    'loss',
    'warned',
    'missing_cost',
    'channel',
    'gateway',
    'sku',
  ],
  products: ['sort', 'order', 'q', 'missing_cost', 'loss'],
};

/** What a page shows, as the endpoint that gives all of its rows; null where there is none. */
export function csvPath(page: PageName, view: View): string | null {
  const { from, to, address } = view;
  const query = new URLSearchParams({ from, to });
  if (page === 'overview') {
    query.set('include', 'statement');
    if (periodOf(view, address.query).by === 'week') query.set('by', 'week');
    return `/v1/metrics/daily?${query.toString()}`;
  }
  const filters = FILTERS[page];
  if (filters === undefined) return null;
  for (const name of filters) {
    const value = address.query.get(name);
    if (value !== null) query.set(name, value);
  }
  return `/v1/${page}?${query.toString()}`;
}
