/** An order as a platform pushes it. */
export interface BenchOrder {
  order_id: string;
  placed_at: string;
  total: string;
  [field: string]: unknown;
}

const ARTICLES = 2_000;
const CUSTOMERS = 20_000;
const GATEWAYS = ['shopify_payments', 'shopify_payments', 'paypal', 'klarna'];
const COLOURS = ['Black', 'Navy', 'Sand', 'Olive', 'Rust', 'White'];
const MINUTE_MS = 60_000;

/** Numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * An endless run of orders like those of a mid-size shop: ids of 13 digits with gaps, 1 to 6 lines, a few discounts,
 * shipping, included or added tax, actual fees on most, a refund on one in fifteen. The sum identity holds exactly.
 * The same seed gives the same orders, another seed other ids.
 *
 * @param startMs time of the first order; each following one is up to twice `apartMs` later
 */
export function createOrders(seed: number, startMs = Date.UTC(2024, 0, 1), apartMs = 2 * MINUTE_MS): () => BenchOrder {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let orderId = 5_000_000_000_000 + (seed % 900) * 1_000_000_000;
  let placedMs = startMs;
  let number = 1000;

  return () => {
    orderId += 32_768 * (1 + below(4));
    placedMs += below(2 * apartMs);
    number++;
    const lines = Array.from({ length: 1 + Math.floor(random() ** 2 * 6) }, (_, i) => line(orderId * 8 + i));
    const goods = lines.reduce((sum, { cents }) => sum + cents, 0);
    const discount = random() < 0.2 ? Math.floor(goods / 10) : 0;
    const shipping = goods > 7_500 ? 0 : 495;
    const taxesIncluded = seed % 2 === 0;
    const net = goods - discount + shipping;
    const tax = Math.floor(net / (taxesIncluded ? 6 : 5));
    const total = net + (taxesIncluded ? 0 : tax);
    const gateway = GATEWAYS[below(GATEWAYS.length)];
    return {
      order_id: String(orderId),
      order_name: `#${number}`,
      placed_at: timestamp(placedMs),
      updated_at: timestamp(placedMs + below(60 * MINUTE_MS)),
      currency: 'GBP',
      status: 'paid',
      customer: { id: String(7_000_000_000_000 + below(CUSTOMERS) * 4_096) },
      line_items: lines.map(({ item }) => item),
      ...(discount > 0 && { discounts: money(discount) }),
      shipping: money(shipping),
      tax: money(tax),
      taxes_included: taxesIncluded,
      total: money(total),
      payment_gateway: gateway,
      ...(random() < 0.8 && { gateway_fee: money(20 + Math.floor(total / 70)) }),
      refunds: random() < 1 / 15 ? [refund(lines[0]?.item.line_id ?? '', lines[0]?.cents ?? 0)] : [],
    };
  };

  function line(lineId: number): { cents: number; item: { line_id: string; [field: string]: unknown } } {
    const article = Math.floor(random() ** 3 * ARTICLES);
    const cents = 495 + ((article * 7_919) % 120) * 50;
    const quantity = random() < 0.85 ? 1 : 2 + below(3);
    const item = {
      line_id: String(lineId),
      quantity: String(quantity),
      unit_price: money(cents),
      sku: `SKU-${String(article).padStart(5, '0')}`,
      product_id: String(8_000_000_000_000 + article * 32_768),
      title: `Organic cotton shirt ${article} / ${COLOURS[article % COLOURS.length]}`,
    };
    return { cents: cents * quantity, item };
  }

  function refund(lineId: string, cents: number): object {
    return {
      refund_id: String(9_000_000_000_000 + orderId / 32),
      refunded_at: timestamp(placedMs + (1 + below(20)) * 1_440 * MINUTE_MS),
      total: money(cents),
      line_items: [{ line_id: lineId, quantity: '1', restock: random() < 0.7 }],
    };
  }
}

/** Request bodies of `POST /v1/orders`: `count` batches of `size` orders. */
export function orderBodies(seed: number, count: number, size: number): Buffer[] {
  const next = createOrders(seed);
  return Array.from({ length: count }, () =>
    Buffer.from(JSON.stringify({ orders: Array.from({ length: size }, next) })),
  );
}

function money(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
