import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { rangeOf } from '../app/range.js';
import type { Address } from '../app/address.js';
import type { Shop, VisitAnswer } from '../../../schemas/app.js';
import type { CausesResponse } from '../../../schemas/restatement-causes.js';
import { shopApi } from './api.js';
import { useRead, type Loaded } from './use-read.js';

/** Causes that are read; of more there is no sum. */
export const MAX_STEPS = 100;

interface Since {
  /** When the last visit ended; null: there was none, or that is not known; undefined: not read yet. */
  visit: string | null | undefined;
  /** Why past days of the page changed since then. */
  changes: Loaded<CausesResponse>;
}

const NONE: Since = {
  visit: undefined,
  changes: { data: null, failure: null, readAt: null, loading: false, reload: () => undefined },
};
const Known = createContext(NONE);

export const useSince = (): Since => useContext(Known);

/** Knows for all below what changed since the reader was here last. */
export function SinceVisitKnown(props: { shop: Shop | undefined; address: Address; children: ComponentChildren }) {
  const { shop, address } = props;
  const asked = useRead<VisitAnswer>(shop?.currency == null ? null : shopApi(shop.shop_id, '/visit'));
  const visit = asked.data?.ended_at ?? (asked.data === null && asked.failure === null ? undefined : null);
  const range = rangeOf(address.query, shop?.timezone ?? 'UTC');
  const query =
    visit == null || 'fault' in range
      ? null
      : new URLSearchParams({
          ...range.range,
          since: visit,
          group: 'cause',
          figure: 'earnings',
          limit: String(MAX_STEPS),
        });
  const changes = useRead<CausesResponse>(
    shop === undefined || query === null ? null : shopApi(shop.shop_id, `/v1/restatements?${query.toString()}`),
  );
  return <Known.Provider value={{ visit, changes }}>{props.children}</Known.Provider>;
}

/** The days whose earnings changed. */
export function changedDays({ causes }: CausesResponse): number {
  return new Set(causes.flatMap(({ by_day: byDay = [] }) => byDay.map(({ date }) => date))).size;
}
