import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ChannelRow } from '../../src/schemas/attribution.js';
import { wireMicros } from './cost-reference.js';
import type { Service, Shop } from './service.js';

export const MINUTE = 60_000;

export interface AttributedShop {
  shop: Shop;
  /** Its pixel token. */
  token: string;
  attribution: (model?: string) => Promise<ChannelRow[]>;
  /** Sends events, of which the pixel accepts each. */
  collect: (...events: Record<string, unknown>[]) => Promise<void>;
  /** Sends an order of one line: 1001 of now over 100.00, unless the fields say otherwise. */
  pushOrder: (fields: Record<string, unknown>) => Promise<void>;
}

export const iso = (ms: number): string => new Date(ms).toISOString();
export const day = (ms: number): string => iso(ms).slice(0, 10);
/** The last 40 days, as a query. */
export const range = (): string => `from=${day(Date.now() - 40 * 1440 * MINUTE)}&to=${day(Date.now() + 1440 * MINUTE)}`;

type Amount = 'revenue' | 'refunds' | 'cogs' | 'gateway_fees' | 'ad_spend' | 'profit';

export const total = (rows: readonly ChannelRow[], field: Amount): bigint =>
  rows.reduce((sum, row) => sum + wireMicros(row[field]), 0n);

/** A new shop with a pixel. */
export async function attributedShop(
  service: Service,
  settings?: Parameters<Service['shop']>[0],
): Promise<AttributedShop> {
  const shop = await service.shop(settings);
  const token = await service.key(shop.id, 'pixel');
  return {
    shop,
    token,
    async attribution(model = 'last_touch') {
      const { status, body } = await shop.call('GET', `/v1/attribution?${range()}&model=${model}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.channels as ChannelRow[];
    },
    async collect(...events) {
      const full = events.map((event) => ({
        event_id: randomUUID(),
        anon_id: 'visitor',
        consent: 'analytics',
        ...event,
      }));
      const { body } = await service.call('POST', '/v1/collect?debug=1', { key: token, body: { events: full } });
      for (const result of body.results) expect(result, JSON.stringify(result)).to.include({ verdict: 'accepted' });
    },
    async pushOrder(fields) {
      const amount = (fields.total as string | undefined) ?? '100.00';
      const order = {
        order_id: '1001',
        placed_at: iso(Date.now()),
        currency: 'EUR',
        status: 'paid',
        total: amount,
        line_items: [{ line_id: '1', quantity: '1', unit_price: amount }],
        ...fields,
      };
      const { body } = await shop.call('POST', '/v1/orders', { orders: [order] });
      expect(body.accepted, JSON.stringify(body)).to.equal(1);
    },
  };
}
