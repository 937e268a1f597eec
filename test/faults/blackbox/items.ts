import type { OrderInput } from '../../../src/domain/orders/orders.js';
import type { Expense } from '../../../src/schemas/expenses.js';
import type { CostPush } from '../../support/cost-arbitrary.js';
import type { Random } from '../../simulation/world/random.js';

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;
/** Days that items fall on; the last of them is over everywhere. */
const DAYS = 4;

/** The days of a run, the same whenever it is repeated on the same day. */
export function daysOfRun(now: number): { from: string; to: string; first: number } {
  const first = Math.floor(now / DAY_MS) * DAY_MS - (DAYS + 2) * DAY_MS;
  const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  // A day more on either side: somewhere it is earlier or later than in UTC.
  return { from: dayAt(first - DAY_MS), to: dayAt(first + DAYS * DAY_MS), first };
}

const SKUS = ['shirt', 'mug', 'cap', 'no cost'];
const GATEWAYS = ['Stripe', 'paypal', 'cash'];

const decimal = (micros: number): string => {
  const digits = String(micros).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
};
const MICROS = 1_000_000;

/** One version of an order; the sum identity holds. Amounts are counted in millionths, far below what a number holds. */
export function newOrder(choice: Random, first: number, id: string, version: number): OrderInput {
  const moment = (): string => new Date(first + choice.int(0, DAYS * 48 - 1) * HALF_HOUR_MS).toISOString();
  const lines = Array.from({ length: choice.int(1, 3) }, (_, i) => ({
    id: `l${i}`,
    quantity: choice.int(1, 3),
    price: choice.int(1, 90 * MICROS),
    sku: choice.pick(SKUS),
    cost: choice.chance(0.4) ? choice.int(0, 40 * MICROS) : undefined,
  }));
  const goods = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  const shipping = choice.int(0, 9 * MICROS);
  const refunds = choice.chance(0.3) ? choice.int(1, 2) : 0;
  return {
    order_id: id,
    placed_at: moment(),
    updated_at: new Date(first + DAYS * DAY_MS + version).toISOString(),
    currency: 'EUR',
    status: choice.chance(0.88) ? 'paid' : choice.pick(['pending', 'voided']),
    ...(choice.chance(0.04) && { deleted: true }),
    ...(choice.chance(0.04) && { is_test: true }),
    line_items: lines.map((line) => ({
      line_id: line.id,
      quantity: String(line.quantity),
      unit_price: decimal(line.price),
      sku: line.sku,
      ...(line.cost !== undefined && { unit_cost: decimal(line.cost) }),
    })),
    shipping: decimal(shipping),
    total: decimal(goods + shipping),
    ...(choice.chance(0.5) && { tax: '0' }),
    payment_gateway: choice.pick(GATEWAYS),
    ...(choice.chance(0.6) && { gateway_fee: decimal(choice.int(0, 3 * MICROS)) }),
    refunds: Array.from({ length: refunds }, (_, i) => ({
      refund_id: `r${i}`,
      refunded_at: moment(),
      total: decimal(choice.int(0, 20 * MICROS)),
      gateway_fee_refund: decimal(choice.int(0, MICROS)),
      line_items: [{ line_id: `l${choice.int(0, lines.length - 1)}`, quantity: '1', restock: choice.chance(0.6) }],
    })),
  };
}

/** A push of spend, unit costs, fee rules or one expense. */
export function newCostPush(choice: Random, first: number): CostPush {
  const day = (): string => new Date(first + choice.int(0, DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const amount = (most: number): string => decimal(choice.int(0, most * MICROS));
  switch (choice.pick(['spend', 'spend', 'catalog', 'catalog', 'rules', 'expense'] as const)) {
    case 'spend':
      return {
        kind: 'spend',
        rows: Array.from({ length: choice.int(1, 4) }, () => ({
          channel: choice.pick(['Radio', 'custom:TV']),
          event_date: day(),
          currency: choice.chance(0.9) ? 'EUR' : 'USD',
          spend: choice.chance(0.15) ? '0' : amount(500),
          ...(choice.chance(0.5) && { campaign_id: choice.pick(['c1', 'c2']) }),
        })),
      };
    case 'catalog':
      return {
        kind: 'catalog',
        costs: Array.from({ length: choice.int(1, 3) }, () => ({
          sku: choice.pick(SKUS.slice(0, -1)),
          unit_cost: amount(30),
          deleted: choice.chance(0.15),
          effective_from: choice.chance(0.4) ? null : day(),
        })),
      };
    case 'rules':
      return {
        kind: 'rules',
        rules: ['stripe', 'PayPal']
          .filter(() => choice.chance(0.7))
          .map((payment_gateway) => ({ payment_gateway, percent: amount(4), fixed: amount(1) })),
      };
    case 'expense': {
      const externalId = `e${choice.int(1, 5)}`;
      const expense: Expense = {
        external_id: externalId,
        name: externalId,
        category: 'other',
        amount: amount(300),
        currency: 'EUR',
        frequency: choice.pick(['monthly', 'weekly', 'yearly', 'one_time', 'per_order', 'percent_of_revenue']),
        started_on: day(),
        ended_on: null,
        counts_as_ad_spend: choice.chance(0.5),
      };
      return { kind: 'expense', externalId, expense: choice.chance(0.2) ? null : expense };
    }
  }
}

/** Events of one visitor. */
export function newEvents(choice: Random, ids: readonly string[]): object[] {
  const visitor = `v${choice.int(1, 500)}`;
  return ids.map((event_id) => ({
    event_id,
    type: choice.pick(['page_view', 'product_view', 'add_to_cart']),
    anon_id: visitor,
    ts: new Date().toISOString(),
    consent: 'analytics',
    url: `https://shop.example.com/products/${choice.int(1, 50)}`,
  }));
}
