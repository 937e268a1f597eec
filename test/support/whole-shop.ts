import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { EXPLAINABLE_FIGURES } from '../../src/domain/metrics/figure-list.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import type { Service, Shop } from './service.js';

const FROM = '2026-01-01';
const TO = '2026-01-31';
const RANGE = `from=${FROM}&to=${TO}`;
const BI_VIEWS = ['daily_metrics', 'orders', 'order_line_items', 'ad_spend', 'attribution'];

const day = (n: number): string => new Date(Date.UTC(2026, 0, 1 + (n % 12))).toISOString().slice(0, 10);

/** Orders `from` to `to` of a shop: one a day, some with refunds, fees and SKUs whose cost is in the catalog. */
export function ordersOf(from: number, to: number): Record<string, unknown>[] {
  return Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    return {
      order_id: `order-${n}`,
      placed_at: `${day(n)}T10:00:00Z`,
      updated_at: `${day(n)}T11:00:00Z`,
      currency: 'EUR',
      status: n % 7 === 0 ? 'pending' : 'paid',
      total: '30.33',
      line_items: [
        { line_id: '1', sku: `SKU-${n % 3}`, quantity: '2', unit_price: '10.11' },
        { line_id: '2', sku: 'OWN', quantity: '1', unit_price: '10.11', unit_cost: '3.333333' },
      ],
      payment_gateway: n % 2 === 0 ? 'stripe' : 'paypal',
      ...(n % 2 === 0 && { gateway_fee: '0.77' }),
      refunds:
        n % 5 === 0
          ? [
              {
                refund_id: 'r',
                refunded_at: `${day(n + 3)}T09:00:00Z`,
                total: '10.11',
                line_items: [{ line_id: '1', quantity: '1', restock: true }],
              },
            ]
          : [],
    };
  });
}

/** A visit that led to the order. */
const visitOf = (orderId: string): Record<string, unknown>[] => {
  const event = { anon_id: `visitor-${orderId}`, consent: 'analytics', ts: new Date().toISOString() };
  return [
    {
      ...event,
      event_id: randomUUID(),
      type: 'page_view',
      url: 'https://shop.example/?utm_source=newsletter&utm_medium=email',
    },
    { ...event, event_id: randomUUID(), type: 'purchase', order_id: orderId },
  ];
};

/** Pushes something of every kind; `from` tells one push of a shop from the next. */
export async function pushAll(service: Service, shop: Shop, from: number): Promise<void> {
  const taken = async (method: string, path: string, body: unknown): Promise<void> => {
    const answer = await shop.call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201]);
    expect(answer.body.rejected ?? 0, JSON.stringify(answer.body)).to.equal(0);
  };
  await taken('PUT', '/v1/products/costs', {
    costs: [0, 1, 2].map((n) => ({ sku: `SKU-${n}`, unit_cost: `${1 + from}.${n}1`, effective_from: day(from) })),
  });
  await taken('POST', '/v1/orders', { orders: ordersOf(from, from + 16) });
  // Earlier orders on another day, or gone.
  await taken('POST', '/v1/orders', {
    orders: ordersOf(from, from + 4).map((order, i) => ({
      ...order,
      updated_at: '2026-01-30T00:00:00Z',
      ...(i % 2 === 0 ? { placed_at: `${day(from + 9)}T10:00:00Z` } : { deleted: true }),
    })),
  });
  const spend = { channel: 'google', currency: 'EUR', spend: '12.345678' };
  await taken('POST', '/v1/costs/spend', { rows: [0, 1].map((n) => ({ ...spend, event_date: day(from + n) })) });
  await taken('POST', '/v1/costs/expenses', {
    external_id: `rent-${from}`,
    name: 'Rent',
    category: 'other',
    amount: '310',
    currency: 'EUR',
    frequency: 'monthly',
    started_on: day(from),
  });
  const rules = [{ payment_gateway: 'paypal', percent: '2.9', fixed: `0.3${from % 10}` }];
  await taken('PUT', '/v1/costs/gateway-fees', { rules });
  const token = await service.key(shop.id, 'pixel');
  const collected = await service.call('POST', '/v1/collect', {
    key: token,
    body: { events: visitOf(`order-${from + 10}`) },
  });
  expect(collected.status).to.equal(204);
}

/** All that the service answers of a shop, by what was asked. */
export async function answersOf(
  service: Service,
  shop: Pick<Shop, 'key'>,
  asOf: string,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const read = async (path: string): Promise<Record<string, unknown>> => {
    const { status, body } = await service.call('GET', path, { key: shop.key });
    expect(status, `${path} ${JSON.stringify(body)}`).to.equal(200);
    return body as Record<string, unknown>;
  };
  const ask = async (path: string): Promise<void> => {
    answers[path] = await read(path);
  };
  for (const path of [
    '/v1/source',
    '/v1/costs/expenses',
    '/v1/costs/gateway-fees',
    '/v1/products/costs',
    '/v1/connections',
    '/v1/ingest/status',
    '/v1/ingest/rejections',
    `/v1/products?${RANGE}`,
    `/v1/orders?${RANGE}`,
    `/v1/metrics?${RANGE}&include=expenses,coverage`,
    `/v1/metrics/daily?${RANGE}`,
    `/v1/restatements?${RANGE}`,
    `/v1/metrics?${RANGE}&as_of=${asOf}`,
    `/v1/metrics/daily?${RANGE}&as_of=${asOf}`,
    ...['last_touch', 'linear'].map((model) => `/v1/attribution?${RANGE}&model=${model}`),
  ]) {
    await ask(path);
  }
  // Each deployment's auditor comes round at its own pace.
  const { audit, ...status } = answers['/v1/ingest/status'] as { audit?: { wrong_days: unknown[] } };
  expect(audit?.wrong_days ?? []).to.deep.equal([]);
  answers['/v1/ingest/status'] = status;
  const { orders } = answers[`/v1/orders?${RANGE}`] as { orders: { order_id: string }[] };
  for (const { order_id } of orders.slice(0, 2)) await ask(`/v1/orders/${order_id}`);
  for (const figure of EXPLAINABLE_FIGURES) {
    answers[`explain ${figure}`] = (await read(`/v1/metrics/explain?figure=${figure}&${RANGE}`)).total;
  }
  return answers;
}

/** What analysts see, as the service's own user, which must be bound to the shop. */
export async function viewsOf(warehouse: Warehouse): Promise<Record<string, string[]>> {
  const rows = await Promise.all(
    BI_VIEWS.map(async (view) => [view, await warehouse.query<object>(`SELECT * FROM bi.${view}`)] as const),
  );
  return Object.fromEntries(rows.map(([view, list]) => [view, list.map((row) => JSON.stringify(row)).sort()]));
}
