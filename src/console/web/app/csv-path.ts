import type { PageName } from './address.js';
import { columnsOf, columnsRange } from './columns.js';
import { periodOf } from './periods.js';
import type { View } from './view.js';

/** Filters of orders that say nothing but their value. */
export const FACTS = ['country', 'sales_channel', 'discount_code', 'tag', 'campaign', 'customer_id'] as const;

/** What a list asks the API as the address has it. */
export const FILTERS = {
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
    'customer',
    ...FACTS,
  ],
  breakdown: ['by', 'sort', 'order'],
  products: ['sort', 'order', 'q', 'missing_cost', 'loss'],
} as const;

/** What a page shows, as the endpoint that gives all of its rows; null where there is none. */
export function csvPath(page: PageName, view: View): string | null {
  const { from, to, address } = view;
  const query = new URLSearchParams({ from, to });
  if (page === 'overview') {
    const by = columnsOf(address.query);
    if (by !== null)
      return `/v1/metrics/daily?${new URLSearchParams({ ...columnsRange(by, to), by, include: 'statement' }).toString()}`;
    query.set('include', 'statement');
    if (periodOf(view, address.query).by === 'week') query.set('by', 'week');
    return `/v1/metrics/daily?${query.toString()}`;
  }
  if (page === 'channels') {
    const model = address.query.get('model');
    if (model !== null) query.set('model', model);
    return `/v1/attribution?${query.toString()}`;
  }
  if (page === 'customers') return cohortsPath(view);
  if (page === 'changes') return `/v1/restatements?${query.toString()}`;
  if (page !== 'orders' && page !== 'products') return null;
  const list = page === 'orders' && address.query.has('by') ? 'breakdown' : page;
  for (const name of FILTERS[list]) {
    const value = address.query.get(name);
    if (value !== null) query.set(name, value);
  }
  return `/v1/${list}?${query.toString()}`;
}

export const cohortsBy = (query: URLSearchParams): 'month' | 'quarter' =>
  query.get('by') === 'quarter' ? 'quarter' : 'month';

/** Cohorts up to the last day that the address asks for. */
export function cohortsPath({ to, address }: View): string {
  const by = cohortsBy(address.query);
  return `/v1/customers/cohorts?${new URLSearchParams({ ...columnsRange(by, to), by }).toString()}`;
}
