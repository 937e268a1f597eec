import { formatDay } from '../domain/time.js';
import { localDayIn } from '../domain/zones/local-day.js';
import type { CollectEvent } from '../schemas/collect.js';
import type { Order } from '../schemas/orders.js';
import type { SpendRow } from '../schemas/spend.js';
import { GOOGLE_SPEND, PRODUCTS, TIKTOK, UNSEEN, VISITS } from './catalog.js';
import { drawFrom, pick, type Draw } from './draw.js';
import { euros, orderOf, ordersOn } from './orders.js';

/** The sample shop, its own so that no shop is touched that somebody works with. */
export const SAMPLE_SHOP = 'sample-homewares';
export const SAMPLE_SOURCE = { platform: 'Sample shop', currency: 'EUR', timezone: 'Europe/Berlin' } as const;

/** What the shop and its pixel have sent up to a moment. */
export interface SampleShop {
  /** `YYYY-MM-DD`, the last one is today. */
  days: string[];
  orders: Order[];
  spend: SpendRow[];
  productCosts: { sku: string; unit_cost: string }[];
  feeRules: { payment_gateway: string; percent: string; fixed: string }[];
  expenses: Record<string, string | boolean>[];
  /** What a page sent, and when it arrived, in milliseconds since 1970; in the order of time. */
  batches: { at: number; events: CollectEvent[] }[];
}

const DAYS = 90;
const PAGE = 'https://homewares.example';

/**
 * 90 days of a shop in which there is something to find: for four weeks a campaign costs more than it brings, and a vase comes back
 * broken; one product has no unit cost. A day has the same orders whenever it is made.
 */
export function makeSampleShop(now: number): SampleShop {
  const today = localDayIn(SAMPLE_SOURCE.timezone)(now * 1_000);
  const days = Array.from({ length: DAYS }, (_, i) => today - DAYS + 1 + i);
  const shop: SampleShop = {
    days: days.map(formatDay),
    orders: [],
    spend: [],
    batches: [],
    ...settings(formatDay(days[0] ?? today)),
  };
  for (const day of days) {
    const ago = today - day;
    const draw = drawFrom(day);
    const spend = (channel: string, campaign: string, cents: number): void => {
      const name = { campaign_id: campaign, campaign_name: campaign };
      shop.spend.push({ channel, event_date: formatDay(day), currency: 'EUR', spend: euros(cents), ...name });
    };
    spend('Google Ads', 'tableware', GOOGLE_SPEND + draw(900));
    if (ago <= TIKTOK.since) spend('TikTok', 'autumn-clips', TIKTOK.spend + draw(1_400));
    for (let index = 0, count = ordersOn(day, ago, draw); index < count; index++) {
      const made = orderOf(day, index, { ago, now, draw });
      const seen = drawFrom(day * 64 + index);
      if (made === null) continue;
      shop.orders.push(made.order);
      if (seen(100) >= UNSEEN) shop.batches.push(...visitOf(made, ago, seen));
    }
  }
  shop.batches.sort((a, b) => a.at - b.at);
  return shop;
}

/** What the pixel sent of the visit that led to an order: a batch a page. */
function visitOf(
  { order, placedAt, checkout, landing }: NonNullable<ReturnType<typeof orderOf>>,
  ago: number,
  draw: Draw,
): SampleShop['batches'] {
  const { query, referrer } = pick(VISITS, ago, draw);
  const minutes = 4 + draw(20);
  const page = (name: string, at: number, events: Partial<CollectEvent>[]) => ({
    at: at + 800,
    events: events.map((fields, i): CollectEvent => ({
      event_id: `${checkout}-${name}-${i}`,
      type: 'page_view',
      ts: new Date(at + i).toISOString(),
      anon_id: `v-${checkout}`,
      consent: 'analytics+marketing',
      ...fields,
    })),
  });
  const product = `${PAGE}/products/${landing}`;
  const first = { url: `${product}${query.replace('ID', checkout)}`, ...(referrer !== undefined && { referrer }) };
  return [
    page('landing', placedAt - minutes * 60_000, [
      first,
      { ...first, type: 'product_view', sku: landing.toUpperCase() },
    ]),
    page('checkout', placedAt - 90_000, [
      { type: 'begin_checkout', url: `${PAGE}/checkout`, referrer: product, checkout_token: checkout },
    ]),
    page('purchase', placedAt + 2_000, [
      {
        type: 'purchase',
        url: `${PAGE}/thanks`,
        referrer: `${PAGE}/checkout`,
        order_id: order.order_id,
        checkout_token: checkout,
      },
    ]),
  ];
}

function settings(firstDay: string): Pick<SampleShop, 'productCosts' | 'feeRules' | 'expenses'> {
  const monthly = { currency: 'EUR', frequency: 'monthly', started_on: firstDay };
  return {
    productCosts: PRODUCTS.flatMap(({ sku, cost }) => (cost === null ? [] : [{ sku, unit_cost: euros(cost) }])),
    feeRules: [{ payment_gateway: 'stripe', percent: '1.5', fixed: '0.25' }],
    expenses: [
      { ...monthly, external_id: 'rent', name: 'Storeroom rent', category: 'other', amount: '640.00' },
      { ...monthly, external_id: 'software', name: 'Shop software', category: 'software', amount: '89.00' },
      { ...monthly, external_id: 'photos', name: 'Product photos', category: 'marketing', amount: '250.00' },
      {
        ...monthly,
        external_id: 'boxes',
        name: 'Boxes and paper',
        category: 'other',
        amount: '0.55',
        frequency: 'per_order',
      },
    ],
  };
}
