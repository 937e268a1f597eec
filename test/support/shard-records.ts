import { createOrders, createRandom, type BenchOrder } from './generated-orders.js';

/** One request that writes. */
export interface Push {
  method: string;
  path: string;
  body: object;
  /** Sent with the pixel's token. */
  isPixel?: boolean;
}

const DAY_MS = 86_400_000;
const CHANNELS = ['Google Ads', 'Meta', 'Radio'];
const BATCH = 40;

/** What is pushed, in phases: the figures are looked at after each. All of it follows from the seed and `nowMs`. */
export interface Records {
  from: string;
  to: string;
  phases: Push[][];
  orderIds: string[];
  skus: string[];
}

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Records of every kind, such that a day has orders, refunds, spend, costs and visits on more than one shard: orders and what
 * changes them (another day, deletion, refunds, another state), a catalog with versions, fee rules, spend with a clear, expenses
 * of every frequency, visits that lead to orders, and items that are rejected.
 */
export function shardRecords(seed: number, nowMs: number): Records {
  const random = createRandom(seed);
  const start = Math.floor((nowMs - 20 * DAY_MS) / DAY_MS) * DAY_MS;
  const next = createOrders(seed, start);
  // Some minutes apart, they fill a day or two; every second one is moved on, so that there are ten of them.
  const orders = Array.from({ length: 320 }, (_, i) => moved(next(), (i % 10) * DAY_MS));
  const skus = [...new Set(orders.flatMap((order) => linesOf(order).map(({ sku }) => sku)))];
  const visited = orders.filter((_, i) => i % 8 === 0);

  const costs = skus.flatMap((sku, i) => [
    ...(i % 5 === 0 ? [] : [{ sku, unit_cost: `${1 + (i % 7)}.${10 + (i % 90)}` }]),
    ...(i % 3 === 0 ? [{ sku, unit_cost: `${2 + (i % 5)}.333333`, effective_from: day(start + 4 * DAY_MS) }] : []),
  ]);
  const spend = Array.from({ length: 10 }, (_, d) =>
    CHANNELS.map((channel, i) => ({
      channel,
      event_date: day(start + d * DAY_MS),
      currency: d % 4 === 3 ? 'USD' : 'GBP',
      spend: `${10 + Math.floor(random() * 300)}.${10 + i}`,
      ...(d % 3 === 0 && { campaign_id: `c${i}` }),
    })),
  ).flat();
  const expenses = [
    ['agency', 'monthly', '620.00', true],
    ['software', 'yearly', '365.00', false],
    ['packing', 'per_order', '0.30', false],
    ['royalty', 'percent_of_revenue', '1.5', false],
    ['cleaner', 'weekly', '50', false],
    ['fair', 'one_time', '99.99', true],
  ].map(([id, frequency, amount, isAd]) => ({
    external_id: id,
    name: id,
    category: isAd === true ? 'marketing' : 'software',
    amount,
    currency: 'GBP',
    frequency,
    started_on: day(start + 2 * DAY_MS),
    counts_as_ad_spend: isAd,
  }));
  const settings: Push[] = [
    ...batches(costs, (part) => ({ method: 'PUT', path: '/v1/products/costs', body: { costs: part } })),
    {
      method: 'PUT',
      path: '/v1/costs/gateway-fees',
      body: {
        rules: [
          { payment_gateway: 'PayPal', percent: '2.49', fixed: '0.35' },
          { payment_gateway: 'klarna', percent: '1.4', fixed: '0' },
        ],
      },
    },
    ...batches(spend, (rows) => ({ method: 'POST', path: '/v1/costs/spend', body: { rows } })),
    ...expenses.map((body) => ({ method: 'POST', path: '/v1/costs/expenses', body })),
    {
      method: 'PUT',
      path: '/v1/rates',
      body: { rates: [{ currency: 'USD', day: day(start + 3 * DAY_MS), rate: '0.79' }] },
    },
  ];
  const rejected = { ...orders[0], order_id: 'bad', total: '1', customer: { email: 'a@b.example' } };
  return {
    from: day(start),
    to: day(start + 30 * DAY_MS),
    orderIds: orders.map(({ order_id }) => order_id),
    skus,
    phases: [
      [...visited.flatMap((order, i) => visit(order, i)), ...pushesOf(orders), ...pushesOf([rejected])],
      settings,
      [
        ...pushesOf(orders.filter((_, i) => i % 5 === 0).map(changed)),
        {
          method: 'PUT',
          path: '/v1/products/costs',
          body: { costs: costs.slice(0, 9).map((cost) => ({ ...cost, unit_cost: '0.07' })) },
        },
        {
          method: 'POST',
          path: '/v1/costs/spend',
          body: { rows: [{ channel: 'Meta', event_date: day(start + DAY_MS), currency: 'GBP', spend: '0' }] },
        },
      ],
    ],
  };
}

function linesOf(order: BenchOrder): { sku: string }[] {
  return order.line_items as { sku: string }[];
}

function moved(order: BenchOrder, ms: number): BenchOrder {
  const later = (text: string): string => new Date(Date.parse(text) + ms).toISOString();
  const refunds = (order.refunds as { refunded_at: string }[]).map((one) => ({
    ...one,
    refunded_at: later(one.refunded_at),
  }));
  // A refund may not lie ahead.
  return {
    ...order,
    placed_at: later(order.placed_at),
    updated_at: later(String(order.updated_at)),
    refunds: refunds.filter((one) => Date.parse(one.refunded_at) < Date.now()),
  };
}

/** A later state of an order. */
function changed(order: BenchOrder, i: number): object {
  const updated_at = new Date(Date.parse(String(order.updated_at)) + DAY_MS).toISOString();
  const placed_at = new Date(Date.parse(order.placed_at) + 3 * DAY_MS).toISOString();
  const refund = { refund_id: `x${order.order_id}`, refunded_at: updated_at, total: '0.55' };
  switch (i % 4) {
    case 0:
      return { ...order, updated_at, deleted: true };
    case 1:
      return { ...order, updated_at, placed_at, refunds: [] };
    case 2:
      return { ...order, updated_at, status: 'pending' };
    default:
      return { ...order, updated_at, refunds: [...(order.refunds as object[]), refund] };
  }
}

/** Two visits of one visitor that lead to an order, and one of a stranger who names an event of theirs. */
function visit({ order_id, placed_at }: BenchOrder, i: number): Push[] {
  const at = Date.parse(placed_at);
  const event = (n: number, more: object): object => ({
    event_id: `e-${i}-${n}`,
    ts: new Date(at - n * 3_600_000).toISOString(),
    anon_id: `v-${i}`,
    consent: 'analytics',
    ...more,
  });
  const source = ['google', 'facebook', 'tiktok', 'bing'][i % 4];
  const landing = event(2, {
    type: 'page_view',
    url: `https://shop.example/?utm_source=${source}&utm_medium=cpc&gclid=g${i}`,
  });
  const events = [
    landing,
    event(1, { type: 'page_view', url: 'https://shop.example/', referrer: 'https://www.google.com/' }),
    event(0, { type: 'purchase', order_id, checkout_token: `t-${i}`, url: 'https://shop.example/thanks' }),
  ];
  const push = (list: object[]): Push => ({
    method: 'POST',
    path: '/v1/collect',
    body: { events: list },
    isPixel: true,
  });
  return i % 2 === 0 ? [push(events)] : [push(events), push([{ ...landing, anon_id: `w-${i}` }])];
}

function pushesOf(orders: readonly object[]): Push[] {
  return batches(orders, (part) => ({ method: 'POST', path: '/v1/orders', body: { orders: part } }));
}

function batches<Item>(items: readonly Item[], push: (part: Item[]) => Push): Push[] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) =>
    push(items.slice(i * BATCH, (i + 1) * BATCH)),
  );
}
