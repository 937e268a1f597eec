import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { openAlerts } from '../../src/composition/alerts.js';
import { keyRecord } from '../../src/domain/keys.js';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import { join, json, signInAsOperator } from '../console/support.js';
import type { Service } from './service.js';
import { DOMAIN } from './shopify-hooks.js';

/** The shop of a release's fixture. All that it has is made up. */
export const SHOP = {
  id: 'made-up-shop',
  key: `sk_svc_${'0123456789abcdef'.repeat(4)}`,
  token: `pt_svc_${'fedcba9876543210'.repeat(4)}`,
  person: { name: 'Made Up', password: 'a password that is made up' },
  hookSecret: 'shpss_made_up',
};

const DAY_MS = 86_400_000;

/** Day `n` of the fixture: the orders are of the three weeks before it was made. */
export const dayOf = (madeAt: number, n: number): string =>
  new Date(madeAt + (n - 21) * DAY_MS).toISOString().slice(0, 10);

/** Sends what a shop sends, and requires that it is taken. */
export function sender(service: Service) {
  return async (method: string, path: string, body?: object, rejected = 0): Promise<void> => {
    const answer = await service.call(method, path, { key: SHOP.key, ...(body && { body }) });
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.be.oneOf([200, 201, 204]);
    expect(answer.body.rejected ?? 0, JSON.stringify(answer.body)).to.equal(rejected);
  };
}

/** An order with something of everything: 2 mugs and a tea. */
const order = (id: number, day: string, fields: object = {}) => ({
  order_id: String(id),
  order_name: `#${id}`,
  placed_at: `${day}T10:00:00Z`,
  updated_at: `${day}T11:00:00Z`,
  currency: 'EUR',
  status: 'paid',
  customer: { id: `customer-${id % 3}` },
  line_items: [
    { line_id: '1', sku: 'MUG', product_id: 'p-1', title: 'A mug', quantity: '2', unit_price: '12.50' },
    { line_id: '2', sku: 'TEA', title: 'Tea', quantity: '1', unit_price: '9.333333', line_discount: '0.333333' },
  ],
  discounts: '1.00',
  shipping: '4.90',
  tax: '6.05',
  taxes_included: true,
  tips: '0.75',
  duties: '1.20',
  rounding_adjustment: '0.01',
  total: '39.86',
  payment_gateway: id % 2 === 0 ? 'Stripe' : 'PayPal',
  checkout_token: `checkout-${id}`,
  country: id % 2 === 0 ? 'AT' : 'DE',
  sales_channel: 'web',
  discount_codes: ['SPRING'],
  tags: ['Made up', 'VIP'],
  ...(id % 3 === 0 && { gateway_fee: '0.77', fulfillment_cost: '3.10', subscription_id: 'subscription-1' }),
  ...fields,
});

const refundOf = (day: string) => ({
  refund_id: 'r-1',
  refunded_at: `${day}T09:00:00Z`,
  total: '15.50',
  tax_refund: '2.00',
  shipping_refund: '3.00',
  gateway_fee_refund: '0.10',
  line_items: [{ line_id: '1', quantity: '1', restock: true }],
});

async function collect(service: Service, visitor: string, atMs: number, orderId: string): Promise<void> {
  const event = (n: number, type: string, fields: object) => ({
    event_id: `${visitor}-${n}`,
    type,
    ts: new Date(atMs + n * 60_000).toISOString(),
    anon_id: visitor,
    consent: 'analytics+marketing',
    sdk: 'profit-pixel/0.2.0',
    ...fields,
  });
  const email = createHash('sha256').update(`${visitor}@shop.example`).digest('hex');
  const page = 'https://shop.example/';
  const answer = await service.call('POST', '/v1/collect', {
    key: SHOP.token,
    body: {
      events: [
        event(0, 'page_view', { url: `${page}?utm_source=newsletter&utm_medium=email&utm_campaign=spring` }),
        event(1, 'product_view', { url: `${page}mug?gclid=made-up`, product_id: 'p-1', sku: 'MUG', quantity: '1' }),
        event(2, 'identify', { email_hash: email }),
        event(3, 'purchase', { order_id: orderId, checkout_token: `checkout-${orderId}` }),
      ],
    },
  });
  expect(answer.status).to.equal(204);
}

const placedMs = (day: string): number => Date.parse(`${day}T09:30:00Z`);

/** Source and keys, then a push of every kind. Gives no answer before they are taken. */
export async function pushFirst(service: Service, madeAt: number): Promise<void> {
  const day = (n: number): string => dayOf(madeAt, n);
  const send = sender(service);
  const shop = { shopId: SHOP.id, name: 'The key of the fixture' };
  await service.stores.keys.save(keyRecord({ ...shop, key: SHOP.key, kind: 'secret' }, madeAt));
  await service.stores.keys.save(keyRecord({ ...shop, key: SHOP.token, kind: 'pixel', name: 'The pixel' }, madeAt));
  const source = { platform: 'shopify', currency: 'EUR', timezone: 'Europe/Berlin', shop_domain: DOMAIN };
  await send('PUT', '/v1/source', { ...source, own_hosts: ['pay.shop.example'], convert_spend: true });
  await send('PUT', '/v1/products/costs', {
    costs: [
      { sku: 'MUG', unit_cost: '4.10' },
      { sku: 'MUG', unit_cost: '5.00', effective_from: day(3) },
      { sku: 'TEA', unit_cost: '3.333333' },
    ],
  });
  const stripe = { payment_gateway: 'stripe', percent: '1.4', fixed: '0.25' };
  const paypal = { payment_gateway: 'paypal', percent: '2.9', fixed: '0.35' };
  await send('PUT', '/v1/costs/gateway-fees', { rules: [stripe] });
  await send('PUT', '/v1/costs/gateway-fees', { rules: [stripe, paypal] });
  await send('PUT', '/v1/rates', {
    rates: [
      { currency: 'USD', day: day(1), rate: '0.9217' },
      { currency: 'USD', day: day(2), rate: '0.920456789012' },
    ],
  });
  const agency = { external_id: 'agency', name: 'Agency', category: 'marketing', amount: '62', currency: 'EUR' };
  await send('POST', '/v1/costs/expenses', {
    ...agency,
    frequency: 'monthly',
    started_on: day(0),
    ended_on: day(9),
    counts_as_ad_spend: true,
  });
  const packing = { external_id: 'packing', name: 'Packing', category: 'other', amount: '0.4', currency: 'EUR' };
  await send('POST', '/v1/costs/expenses', { ...packing, frequency: 'per_order', started_on: day(1) });
  const wrong = order(1_000, day(1), { total: '1.00' });
  const orders = [1, 2, 3, 4, 5].map((n) => order(1_000 + n, day(n)));
  await send('POST', '/v1/orders', { orders: [...orders, wrong] }, 1);
  await send('PUT', '/v1/costs/orders', {
    costs: [{ order_id: '1001', fulfillment_cost: '4.35', gateway_fee: '1.11' }],
  });
  await send('POST', '/v1/costs/spend', {
    rows: [
      { channel: 'Radio', event_date: day(1), currency: 'EUR', spend: '5.123456', impressions: 100 },
      { channel: 'Radio', event_date: day(2), currency: 'EUR', spend: '9.00' },
      { channel: 'Radio', event_date: day(2), currency: 'EUR', spend: '0' },
      { channel: 'Search', event_date: day(2), currency: 'USD', spend: '8.00', campaign_id: 'c-1', clicks: 7 },
    ],
  });
  await collect(service, 'visitor-1', placedMs(day(1)), '1001');
}

/** Changes of what is stored, which restate past days. */
export async function pushChanges(service: Service, madeAt: number): Promise<void> {
  const day = (n: number): string => dayOf(madeAt, n);
  const send = sender(service);
  const changed = { updated_at: `${day(8)}T11:00:00Z`, refunds: [refundOf(day(4))] };
  await send('POST', '/v1/orders', { orders: [order(1_001, day(1), changed), order(1_002, day(6), changed)] });
  await send('DELETE', '/v1/orders/1004');
  await send('PUT', '/v1/products/costs', { costs: [{ sku: 'TEA', unit_cost: '2.50', effective_from: day(5) }] });
}

/** What people do in the app, an alert, a BI user and the webhook of a platform. */
export async function useApp(service: Service, madeAt: number): Promise<void> {
  const operator = await signInAsOperator(service);
  const app = `/app/api/shops/${SHOP.id}`;
  const taken = async (answer: Promise<Response>): Promise<void> => {
    const { status } = await answer;
    expect(status).to.be.within(200, 204);
  };
  const { name, password } = SHOP.person;
  const { code } = await json(await operator.post('/app/api/people', { name, role: 'owner', shops: null }), 201);
  expect((await join(service, { code, name, password })).status).to.equal(204);
  await json(await operator.post('/app/api/people', { name: 'Only Invited', role: 'viewer', shops: [SHOP.id] }), 201);
  await taken(operator.post(`${app}/share-links`, { from: dayOf(madeAt, 1), to: dayOf(madeAt, 7) }));
  const rule = { kind: 'costs_fell', is_on: true, threshold: '20' };
  await taken(operator.send('PUT', `${app}/alerts`, { rules: [rule] }));
  await taken(operator.send('PUT', `${app}/alerts/webhook`, { url: 'https://hooks.shop.example/alerts' }));
  const { alerts } = openAlerts(service.config, service.stores);
  await alerts.raise(SHOP.id, [{ kind: 'costs_fell', day: dayOf(madeAt, 5), measured: '10', threshold: '20' }]);
  await createBiUsers(service.stores.warehouse, service.config.clickhouseDatabase).bind('made_up_analyst', SHOP.id);
  await sender(service)('PUT', '/v1/hooks/shopify', { secret: SHOP.hookSecret, shop_domain: DOMAIN });
}

/** A push of every kind, for jobs that wait. */
export async function pushWaiting(service: Service, madeAt: number): Promise<void> {
  const day = (n: number): string => dayOf(madeAt, n);
  const send = sender(service);
  const late = { updated_at: `${day(9)}T11:00:00Z`, refunds: [refundOf(day(7))] };
  const wrong = order(1_009, day(1), { currency: 'USD' });
  await send('POST', '/v1/orders', { orders: [order(1_006, day(6)), order(1_003, day(3), late), wrong] }, 1);
  await send('DELETE', '/v1/orders/1005');
  await send('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '5.50', effective_from: day(6) }] });
  await send('PUT', '/v1/costs/orders', { costs: [{ order_id: '1006', fulfillment_cost: '2.22' }] });
  await send('PUT', '/v1/rates', { rates: [{ currency: 'USD', day: day(2), rate: '0.93' }] });
  await collect(service, 'visitor-6', placedMs(day(6)), '1006');
  for (const [n, spend] of ['7.654321', '3.21'].entries())
    await send('POST', '/v1/costs/spend', {
      rows: [{ channel: 'Radio', event_date: day(6 + n), currency: 'EUR', spend }],
    });
  const rent = { external_id: 'rent', name: 'Rent', category: 'other', amount: '310', currency: 'EUR' };
  await send('POST', '/v1/costs/expenses', { ...rent, frequency: 'monthly', started_on: day(2) });
}
