/** A request of the shop. */
interface Push {
  method: string;
  path: string;
  body: unknown;
  isPixel?: boolean;
  /** Items that are refused. */
  rejected?: number;
}

const RANGE = 'from=2026-01-01&to=2026-01-31';

const order = (n: number, more: object = {}) => ({
  order_id: `o-${n}`,
  placed_at: `2026-01-0${n}T10:00:00Z`,
  updated_at: `2026-01-0${n}T11:00:00Z`,
  currency: 'EUR',
  status: 'paid',
  payment_gateway: n % 2 === 0 ? 'stripe' : 'paypal',
  total: '28.33',
  line_items: [
    { line_id: '1', sku: 'MUG', title: 'Mug', quantity: '2', unit_price: '10.11', line_discount: '2' },
    { line_id: '2', sku: 'OWN', quantity: '1', unit_price: '10.11', unit_cost: '3.333333' },
  ],
  ...(n % 2 === 0 && { gateway_fee: '0.77', tax: '0' }),
  ...more,
});

const refund = (day: number) => ({
  refund_id: 'r',
  refunded_at: `2026-01-1${day}T09:00:00Z`,
  total: '9.11',
  line_items: [{ line_id: '1', quantity: '1', restock: true }],
});

const visit = (n: number, utm: string): Push => {
  const event = { anon_id: `visitor-${n}`, consent: 'analytics', ts: new Date(Date.now() - 60_000).toISOString() };
  const landing = { ...event, event_id: `view-${n}`, type: 'page_view', url: `https://shop.example/?${utm}` };
  const purchase = { ...event, event_id: `purchase-${n}`, type: 'purchase', order_id: `o-${n}` };
  return { method: 'POST', path: '/v1/collect', body: { events: [landing, purchase] }, isPixel: true };
};

const spend = (day: number, amount: string) => ({
  channel: 'google',
  event_date: `2026-01-0${day}`,
  currency: 'EUR',
  spend: amount,
  campaign_id: 'c',
});

const rent = {
  external_id: 'rent',
  name: 'Rent',
  category: 'other',
  amount: '310',
  currency: 'EUR',
  frequency: 'monthly',
  started_on: '2026-01-01',
};

const put = (path: string, body: unknown): Push => ({ method: 'PUT', path, body });
const post = (path: string, body: unknown): Push => ({ method: 'POST', path, body });

/** What a shop does before the schema becomes newer. */
export const BEFORE: readonly Push[] = [
  put('/v1/source', { platform: 'p', currency: 'EUR', timezone: 'Europe/Paris' }),
  put('/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '4.25' }] }),
  put('/v1/costs/gateway-fees', { rules: [{ payment_gateway: 'paypal', percent: '2.9', fixed: '0.35' }] }),
  post('/v1/costs/expenses', rent),
  post('/v1/costs/spend', { rows: [spend(1, '12.345678'), spend(2, '3.5')] }),
  post('/v1/orders', { orders: [1, 2, 3, 4, 5, 6].map((n) => order(n)) }),
  visit(3, 'utm_source=newsletter&utm_medium=email'),
];

/** What it does after it has, with the release that it had. */
export const AFTER: readonly Push[] = [
  // One is edited, one moves to another day and comes back in part, one is gone, one is new, one is refused.
  {
    ...post('/v1/orders', {
      orders: [
        order(1, { updated_at: '2026-01-20T00:00:00Z', status: 'pending' }),
        order(2, { updated_at: '2026-01-20T00:00:00Z', placed_at: '2026-01-08T10:00:00Z', refunds: [refund(2)] }),
        order(4, { updated_at: '2026-01-20T00:00:00Z', deleted: true }),
        order(5, { updated_at: '2026-01-20T00:00:00Z', refunds: [refund(5)] }),
        order(7),
        order(8, { total: '1' }),
      ],
    }),
    rejected: 1,
  },
  put('/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '5', effective_from: '2026-01-05' }] }),
  put('/v1/costs/gateway-fees', { rules: [{ payment_gateway: 'paypal', percent: '3', fixed: '0.1' }] }),
  post('/v1/costs/expenses', { ...rent, amount: '620' }),
  post('/v1/costs/spend', { rows: [spend(1, '20'), { ...spend(2, '0'), campaign_id: undefined }] }),
  visit(5, 'gclid=abc'),
  visit(7, 'utm_source=facebook&utm_medium=cpc'),
];

export const METRICS = `/v1/metrics?${RANGE}&include=expenses,coverage`;

/** What it reads then; none of it depends on the hour. */
export const READS = [
  METRICS,
  `/v1/metrics/daily?${RANGE}&include=expenses`,
  ...['last_touch', 'first_touch', 'linear'].map((model) => `/v1/attribution?${RANGE}&model=${model}`),
  `/v1/metrics/explain?figure=net_profit&${RANGE}&limit=250`,
  `/v1/products?${RANGE}`,
  `/v1/orders?${RANGE}`,
  '/v1/orders/o-2',
  '/v1/products/costs',
  '/v1/connections',
  '/v1/costs/expenses',
  '/v1/costs/gateway-fees',
  '/v1/source',
];
