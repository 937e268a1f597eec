import { createHmac } from 'node:crypto';
import type { Answer, Service } from './service.js';

export const DOMAIN = 'my-shop.myshopify.com';

export interface HookHeaders {
  topic: string;
  triggeredAt?: string;
  domain?: string;
  /** With what it is signed. */
  secret: string;
  /** Instead of the one made with the secret. */
  signature?: string;
}

export const signatureOf = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

/** Sends a hook as Shopify does. */
export function sendHook(service: Service, hookId: string, body: unknown, headers: HookHeaders): Promise<Answer> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  const { topic, triggeredAt, domain = DOMAIN, secret, signature = signatureOf(raw, secret) } = headers;
  return service.call('POST', `/v1/hooks/shopify/${hookId}`, {
    raw,
    headers: {
      'X-Shopify-Topic': topic,
      'X-Shopify-Shop-Domain': domain,
      'X-Shopify-Hmac-Sha256': signature,
      ...(triggeredAt !== undefined && { 'X-Shopify-Triggered-At': triggeredAt }),
    },
  });
}

const line = (id: number, price: string, current = 1) => ({
  id,
  product_id: id,
  title: 'Mug',
  sku: `S-${id}`,
  quantity: 1,
  current_quantity: current,
  price,
  total_discount: '0.00',
  gift_card: false,
  discount_allocations: [],
  tax_lines: [],
});

/** An order as hooks have it, in the states that it goes through. */
export function hookStates(id: number) {
  const order = (updated_at: string, financial_status: string, total_price: string, rest: object) => ({
    id,
    name: `#${id}`,
    created_at: '2026-03-01T12:00:00Z',
    processed_at: '2026-03-01T12:00:00Z',
    updated_at,
    cancelled_at: null,
    currency: 'EUR',
    presentment_currency: 'EUR',
    financial_status,
    test: false,
    taxes_included: true,
    total_discounts: '0.00',
    total_tax: '0.00',
    total_tip_received: '0.00',
    total_outstanding: '0.00',
    payment_gateway_names: ['bogus'],
    shipping_lines: [],
    refunds: [],
    total_price,
    ...rest,
  });
  const refund = {
    id: 7,
    created_at: '2026-03-02T09:00:00Z',
    processed_at: '2026-03-02T09:00:00Z',
    refund_line_items: [
      { id: 8, line_item_id: 1, quantity: 1, restock_type: 'no_restock', subtotal: '20.00', total_tax: '0.00' },
    ],
    order_adjustments: [],
    transactions: [{ id: 9, kind: 'refund', status: 'success', gateway: 'bogus', amount: '20.00', currency: 'EUR' }],
  };
  const [one, two] = [line(1, '20.00'), line(2, '10.00')];
  return {
    // Both within one second.
    created: {
      topic: 'orders/create',
      triggeredAt: '2026-03-01T12:00:00.100000Z',
      body: order('2026-03-01T12:00:00Z', 'pending', '20.00', { line_items: [one] }),
    },
    paid: {
      topic: 'orders/paid',
      triggeredAt: '2026-03-01T12:00:00.400000Z',
      body: order('2026-03-01T12:00:00Z', 'paid', '20.00', { line_items: [one] }),
    },
    edited: {
      topic: 'orders/updated',
      triggeredAt: '2026-03-01T12:01:00.900000Z',
      body: order('2026-03-01T12:01:00Z', 'paid', '30.00', { line_items: [one, two] }),
    },
    refunded: {
      topic: 'orders/updated',
      triggeredAt: '2026-03-02T09:00:01.200000Z',
      body: order('2026-03-02T09:00:01Z', 'partially_refunded', '30.00', {
        line_items: [line(1, '20.00', 0), two],
        refunds: [refund],
      }),
    },
    deleted: { topic: 'orders/delete', triggeredAt: '2026-03-03T00:00:00.000000Z', body: { id } },
  };
}
