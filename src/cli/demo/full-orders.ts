import { formatScaled } from '../../domain/money.js';
import { formatDay, parseDay } from '../../domain/time.js';
import type { Order } from '../../schemas/orders.js';

/** A count of one or an amount in millionths, when it counts, and the visit that brought its order. */
export interface Entry {
  day: string;
  figure: string;
  amount: bigint;
  channel: string;
  evidence: string;
}

/** What is pushed of a made-up shop, and its books: what each of its days and channels must come to. */
export interface FullShop {
  days: string[];
  orders: Order[];
  /** Costs of packing that come later than their orders. */
  orderCosts: { order_id: string; fulfillment_cost: string }[];
  productCosts: { sku: string; unit_cost: string }[];
  feeRules: { payment_gateway: string; percent: string; fixed: string }[];
  spend: { channel: string; event_date: string; currency: string; spend: string }[];
  expenses: Record<string, string | boolean>[];
  events: Record<string, string>[];
  books: Entry[];
}

/** In cents. Orders say the cost of tea, nothing says that of the tray, and the catalog has the others. */
export const PRODUCTS = [
  { sku: 'MUG', title: 'Mug', price: 1_490n, cost: 510n, tells: 'catalog' },
  { sku: 'TEAPOT', title: 'Teapot', price: 4_990n, cost: 1_875n, tells: 'catalog' },
  { sku: 'ASSAM', title: 'Assam, 250 g', price: 1_190n, cost: 433n, tells: 'line' },
  { sku: 'TRAY', title: 'Tray', price: 2_990n, cost: 0n, tells: 'nothing' },
] as const;

const NEWSLETTER = {
  channel: 'email',
  evidence: 'claimed',
  query: '?utm_source=newsletter&utm_medium=email',
  referrer: '',
} as const;

/**
 * How customers come: with proof, with a claim, with signs that say nothing or contradict each other, or unseen. Events that
 * arrive days late prove and claim nothing: who sends them may know the orders.
 */
export const VISITS = [
  { channel: 'google_ads', evidence: 'proved', query: '?gclid=Cj0KCQjw-ID', referrer: 'https://www.google.com/' },
  { channel: 'meta_ads', evidence: 'claimed', query: '?utm_source=facebook&utm_medium=paid_social', referrer: '' },
  NEWSLETTER,
  { channel: 'organic_search', evidence: 'proved', query: '', referrer: 'https://www.bing.com/' },
  { channel: 'organic_social', evidence: 'ambiguous', query: '?fbclid=IwAR2-ID', referrer: '' },
  {
    channel: 'microsoft_ads',
    evidence: 'ambiguous',
    query: '?gclid=EAIa-ID&utm_source=bing&utm_medium=cpc',
    referrer: '',
  },
  { channel: 'direct', evidence: 'ambiguous', query: '', referrer: '' },
  { channel: 'unattributed', evidence: 'ambiguous', query: null, referrer: '' },
] as const;

export const money = (cents: bigint): string => formatScaled(cents, 2);
const share = (of: bigint, part: bigint, whole: bigint): bigint => (2n * of * part + whole) / (2n * whole);
export const dayAfter = (day: string, days = 1): string => formatDay((parseDay(day) ?? 0) + days);
const VAT = 19n;
export const CENT = 10_000n;

/** When, how and by whom an order was placed; the kind of order follows from its number. */
export interface Placed {
  order_id: string;
  index: number;
  placedAt: number;
  /** Of the shop's zone. */
  day: string;
  visit: (typeof VISITS)[number];
  draw: (below: number) => number;
  /** Just now, so that events are on time. */
  isLive: boolean;
}

export function addOrder(shop: FullShop, { order_id, index, placedAt, day: at, visit, draw, isLive }: Placed): void {
  const placed_at = new Date(placedAt).toISOString();
  const isNet = index === 2;
  const isTaxKnown = index !== 3;
  const isCounted = index !== 5;

  const goods = Array.from({ length: 1 + draw(3) }, (_, i) => ({
    product: PRODUCTS[(draw(8) + i) % PRODUCTS.length] ?? PRODUCTS[0],
    units: BigInt(1 + draw(3)),
    off: draw(5) === 0 ? 100n : 0n,
  }));
  const gross = goods.reduce((sum, { product, units }) => sum + product.price * units, 0n);
  const offLines = goods.reduce((sum, { off }) => sum + off, 0n);
  const discounts = draw(4) === 0 ? 50n : 0n;
  const shipping = gross < 5_000n ? 490n : 0n;
  const tips = draw(6) === 0 ? 200n : 0n;
  const duties = isNet ? 500n : 0n;
  const rounding = draw(6) === 0 ? 2n : 0n;
  const taxed = gross - offLines - discounts + shipping;
  const tax = !isTaxKnown ? 0n : isNet ? share(taxed, VAT, 100n) : share(taxed, VAT, 100n + VAT);
  const total = taxed + tips + duties + rounding + (isNet ? tax : 0n);

  const gateway = (['card', 'paypal', 'invoice'] as const)[draw(3)] ?? 'card';
  const paid = gateway === 'paypal' ? share(total, 29n, 1_000n) + 35n : undefined;
  const packing = (['said', 'later', 'unknown'] as const)[draw(3)];
  // Where the last visit tells nothing, the one before it is credited.
  const isReturning = index === 4;
  const { channel } = isReturning && visit.channel === 'direct' ? NEWSLETTER : visit;
  const evidence = isLive ? visit.evidence : 'ambiguous';
  const note = (figure: string, amount: bigint, more: Partial<Entry> = {}): void => {
    if (isCounted) shop.books.push({ day: at, figure, amount, channel, evidence, ...more });
  };
  const book = (figure: string, cents: bigint, day = at): void => note(figure, cents * CENT, { day });
  const count = (figure: string, day = at): void => note(figure, 1n, { day });

  count('orders');
  book('revenue', total);
  book('gross_sales', gross);
  book('discounts', offLines + discounts);
  book('shipping', shipping);
  book('tips', tips);
  book('duties', duties);
  book('rounding_adjustment', rounding);
  if (isNet) book('tax_added', tax);
  book('tax', tax);
  for (const { product, units } of goods) book('cogs', product.cost * units);
  if (goods.some(({ product }) => product.tells === 'nothing')) {
    count('orders_without_cost');
    book('revenue_without_cost', total);
  }
  if (!isTaxKnown) count('orders_without_tax');
  book('gateway_fees', paid ?? 0n);
  if (gateway === 'card') {
    count('orders_fee_estimated');
    // 1.4 % of the total has more digits than cents.
    note('gateway_fees', total * 140n + 25n * CENT);
  }
  if (packing === 'unknown') count('orders_without_fulfillment');
  else book('fulfillment_costs', 620n);
  book('operating_expenses', 35n);
  note('ad_spend', total * 200n, { channel: 'expenses' });

  const [line] = goods;
  const isBack = line !== undefined && offLines + discounts === 0n && index % 2 === 0 && !isLive;
  const refunds: Order['refunds'] = [];
  if (isBack) {
    const on = dayAfter(at);
    const { price, cost } = line.product;
    const withShipping = draw(2) === 0 ? shipping : 0n;
    const back = price + withShipping;
    const taxBack = !isTaxKnown ? 0n : isNet ? share(back, VAT, 100n) : share(back, VAT, 100n + VAT);
    const isTold = isTaxKnown && draw(3) > 0;
    const restock = draw(2) === 0;
    const sum = back + (isNet ? taxBack : 0n);
    refunds.push({
      refund_id: `${order_id}-r`,
      refunded_at: `${on}T00:05:00Z`,
      total: money(sum),
      shipping_refund: money(withShipping),
      ...(isTold && { tax_refund: money(taxBack) }),
      ...(paid !== undefined && { gateway_fee_refund: '0.35' }),
      line_items: [{ line_id: '1', quantity: '1', restock }],
    });
    book('refunds', sum, on);
    if (isTold) book('tax_refunded', taxBack, on);
    else if (tax > 0n) count('refunds_without_tax', on);
    if (paid !== undefined) book('gateway_fees', -35n, on);
    if (restock) book('cogs', -cost, on);
  }

  shop.orders.push({
    order_id,
    placed_at,
    updated_at: refunds[0]?.refunded_at ?? placed_at,
    currency: 'EUR',
    status: !isCounted && draw(2) === 0 ? 'voided' : 'paid',
    is_test: !isCounted,
    line_items: goods.map(({ product, units, off }, i) => ({
      line_id: String(i + 1),
      sku: product.sku,
      title: product.title,
      quantity: String(units),
      unit_price: money(product.price),
      line_discount: money(off),
      ...(product.tells === 'line' && { unit_cost: money(product.cost) }),
    })),
    discounts: money(discounts),
    shipping: money(shipping),
    ...(isTaxKnown && { tax: money(tax) }),
    taxes_included: !isNet,
    tips: money(tips),
    duties: money(duties),
    rounding_adjustment: money(rounding),
    total: money(total),
    payment_gateway: gateway,
    checkout_token: `${order_id}-${placedAt}`,
    ...(paid !== undefined && { gateway_fee: money(paid) }),
    ...(packing === 'said' && { fulfillment_cost: '6.20' }),
    refunds,
  });
  if (packing === 'later') shop.orderCosts.push({ order_id, fulfillment_cost: '6.20' });
  if (visit.query !== null) addVisit(shop, order_id, placedAt, { ...visit, isReturning });
}

/** The visit that brought the order and its purchase; of customers that return an earlier visit too. */
function addVisit(
  shop: FullShop,
  order: string,
  placedAt: number,
  { query, referrer, isReturning }: { query: string; referrer: string; isReturning: boolean },
): void {
  const page = 'https://tea.example';
  const token = `${order}-${placedAt}`;
  const event = (name: string, type: string, minutes: number, more: Record<string, string>): void => {
    const ts = new Date(placedAt + minutes * 60_000).toISOString();
    const who = { anon_id: `visitor-${token}`, consent: 'analytics+marketing' };
    shop.events.push({ event_id: `${token}-${name}`, type, ts, ...who, ...more });
  };
  const landing = `${page}/${query.replace('ID', token.replaceAll('-', ''))}`;
  if (isReturning) event('before', 'page_view', -2_880, { url: `${page}/${NEWSLETTER.query}` });
  event('landing', 'page_view', -8, { url: landing, ...(referrer !== '' && { referrer }) });
  event('purchase', 'purchase', 1, {
    url: `${page}/thanks`,
    referrer: `${page}/checkout`,
    order_id: order,
    checkout_token: token,
  });
}
