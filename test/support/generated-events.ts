import { createRandom } from './generated-orders.js';

const PAGES = 400;
const TYPES = ['product_view', 'product_view', 'product_view', 'add_to_cart', 'begin_checkout'] as const;

export interface EventBodies {
  /** Events of a request, an even number; pixels send two at most times. */
  events?: number;
  /** The last event of each request is a purchase. */
  purchase?: boolean;
}

/**
 * Request bodies of `POST /v1/collect`, as one visitor's browser sends them: the visit lands with a click id of its own,
 * with a campaign or from a search, and walks through catalog pages with two events on each. No two bodies share a visitor
 * or an event.
 */
export function eventBodies(
  seed: number,
  count: number,
  token: string,
  { events = 20, purchase = false }: EventBodies = {},
): Buffer[] {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  // Seven digits of a draw: one by one they took half the time of a body (20,000 small ones: 570 ms, now 284).
  const hex = (digits: number): string => {
    let text = '';
    while (text.length < digits)
      text += below(16 ** 7)
        .toString(16)
        .padStart(7, '0');
    return text.slice(0, digits);
  };
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
  const shop = 'https://shop.example.com';
  const page = () => `${shop}/products/organic-cotton-shirt-${below(PAGES)}`;
  const landings = [
    () => [
      `${page()}?utm_source=google&utm_medium=cpc&utm_campaign=spring&gclid=Cj0KCQ${hex(40)}`,
      'https://www.google.com/',
    ],
    () => [`${page()}?utm_source=newsletter&utm_medium=email&utm_campaign=week-${below(52)}`, ''],
    () => [page(), 'https://www.google.com/'],
    () => [`${page()}?fbclid=IwAR${hex(50)}`, 'https://l.facebook.com/'],
  ];

  const visit = (): object[] => {
    const ids = { anon_id: uuid(), session_hint: uuid(), consent: 'analytics', sdk: 'profit-pixel/0.2.0' };
    const [landing = '', referrer = ''] = (landings[below(landings.length)] ?? landings[0])?.() ?? [];
    const urls = [landing, ...Array.from({ length: events / 2 - 1 }, page)];
    const all: object[] = urls.flatMap((url, i) =>
      ['page_view', TYPES[below(TYPES.length)]].map((type, k) => ({
        event_id: uuid(),
        type,
        ts: new Date(Date.now() - (events - 2 * i - k) * 5_000).toISOString(),
        ...ids,
        url,
        referrer: urls[i - 1] ?? referrer,
      })),
    );
    const last = all.at(-1);
    if (purchase && last !== undefined)
      Object.assign(last, { type: 'purchase', order_id: `${1_000_000 + below(9e6)}` });
    return all;
  };
  return Array.from({ length: count }, () => Buffer.from(JSON.stringify({ token, events: visit() })));
}
