import { parseDay } from '../../domain/time.js';
import { addOrder, CENT, dayAfter, money, PRODUCTS, VISITS, type FullShop } from './full-orders.js';

export const FULL_SHOP_ZONE = 'Europe/Berlin';
const DAYS = 14;
const ORDERS_A_DAY = 9;
const LABELS = { google_ads: 'Google Ads', meta_ads: 'Facebook', email: 'Newsletter' } as const;

/** Numbers from a seed: the same ones whenever they are drawn. */
function drawFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * A German shop of which everything is known that may be known of a shop, or is left out on purpose: two weeks of orders, and a
 * few of this minute. A day has the same orders whenever it is made; those of this minute are the same ones each time.
 */
export function makeFullShop(now: number): FullShop {
  const dayOf = (ms: number): string => new Intl.DateTimeFormat('en-CA', { timeZone: FULL_SHOP_ZONE }).format(ms);
  const today = dayOf(now);
  const placedAt = now - 120_000;
  const days = Array.from({ length: DAYS + 1 }, (_, i) => dayAfter(today, i - DAYS));
  const shop: FullShop = { days, ...settings(), spend: [], orders: [], orderCosts: [], events: [], books: [] };
  for (const day of days) addCosts(shop, day);
  // What the day before the first brings: orders after midnight, and refunds.
  for (let i = -DAYS - 1; i < 0; i++) addDay(shop, dayAfter(today, i));
  for (const [index, visit] of VISITS.entries()) {
    const draw = drawFrom(index);
    addOrder(shop, { order_id: `live-${index}`, index, placedAt, day: dayOf(placedAt), visit, draw, isLive: true });
  }
  return shop;
}

/** Visits that say nothing, whether their events arrive on time or late. */
const UNCLEAR = VISITS.filter(({ evidence }) => evidence === 'ambiguous');

/** The last order of a day is placed after midnight in Berlin, which may be just now. */
function addDay(shop: FullShop, day: string): void {
  const draw = drawFrom(parseDay(day) ?? 0);
  for (let index = 0; index < ORDERS_A_DAY; index++) {
    const isLate = index === ORDERS_A_DAY - 2;
    const visits = isLate ? UNCLEAR : VISITS;
    addOrder(shop, {
      order_id: `${day}-${index}`,
      index,
      placedAt: Date.parse(isLate ? `${day}T23:30:00Z` : `${day}T${10 + index}:15:00Z`),
      day: isLate ? dayAfter(day) : day,
      visit: visits[draw(visits.length)] ?? VISITS[0],
      draw,
      isLive: false,
    });
  }
}

function settings(): Pick<FullShop, 'productCosts' | 'feeRules' | 'expenses'> {
  const expense = { category: 'other', currency: 'EUR', started_on: '2020-01-01' };
  return {
    productCosts: PRODUCTS.flatMap(({ sku, cost, tells }) =>
      tells === 'catalog' ? [{ sku, unit_cost: money(cost) }] : [],
    ),
    feeRules: [{ payment_gateway: 'card', percent: '1.4', fixed: '0.25' }],
    expenses: [
      { ...expense, external_id: 'rent', name: 'Rent', amount: '210.00', frequency: 'weekly' },
      { ...expense, external_id: 'boxes', name: 'Boxes', amount: '0.35', frequency: 'per_order' },
      {
        ...expense,
        external_id: 'affiliates',
        name: 'Commissions',
        amount: '2',
        frequency: 'percent_of_revenue',
        counts_as_ad_spend: true,
      },
    ],
  };
}

/** The rent of a day, and the ads of three channels; those in dollars are left out. */
function addCosts({ spend, books }: FullShop, day: string): void {
  books.push({ day, figure: 'operating_expenses', amount: 3_000n * CENT, channel: '', evidence: '' });
  const spent = { google_ads: 2_000n, meta_ads: 1_500n + 25n * BigInt(day.slice(-1)), email: 250n };
  for (const channel of ['google_ads', 'meta_ads', 'email'] as const) {
    const amount = spent[channel];
    spend.push({ channel: LABELS[channel], event_date: day, currency: 'EUR', spend: money(amount) });
    books.push({ day, figure: 'ad_spend', amount: amount * CENT, channel, evidence: '' });
  }
  spend.push({ channel: 'TikTok', event_date: day, currency: 'USD', spend: '12.00' });
}
