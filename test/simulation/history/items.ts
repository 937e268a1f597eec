import { EXPENSE_FREQUENCIES, type ExpenseFrequency } from '../../../src/domain/costs/expenses.js';
import type { ProductCostInput } from '../../../src/domain/costs/product-costs.js';
import type { SpendInput } from '../../../src/domain/costs/spend.js';
import type { OrderInput } from '../../../src/domain/orders/orders.js';
import type { ExpenseInput } from '../../../src/schemas/expenses.js';
import { START_MS } from '../world/scheduler.js';
import type { SimulatedEvent } from './events.js';
import type { ItemOptions } from './shops.js';

/** What a pushed item says, in the numbers that figures are made of. Amounts in millionths, days since 1970. */
export interface SimulatedOrder {
  kind: 'orders';
  tag: string;
  key: string;
  updatedAt: number;
  counts: boolean;
  day: number;
  /** Milliseconds since 1970. */
  placedAt: number;
  revenue: bigint;
  fee: bigint | null;
  lines: { id: string; quantity: bigint; cost: bigint | null; sku: string }[];
  refunds: { day: number; total: bigint; fee: bigint; restocked: { line: number; quantity: bigint }[] }[];
  wire: OrderInput;
}

export interface SimulatedCost {
  kind: 'product_costs';
  tag: string;
  key: string;
  sku: string;
  /** Day from which it counts; null: from the beginning. */
  from: number | null;
  cost: bigint;
  wire: ProductCostInput;
}

export interface SimulatedSpend {
  kind: 'spend';
  tag: string;
  key: string;
  day: number;
  amount: bigint;
  wire: SpendInput;
}

export interface SimulatedExpense {
  kind: 'expenses';
  tag: string;
  key: string;
  amount: bigint;
  frequency: ExpenseFrequency;
  from: number;
  /** Last day; null: it goes on. */
  to: number | null;
  wire: ExpenseInput;
}

export type SimulatedItem = SimulatedOrder | SimulatedCost | SimulatedSpend | SimulatedEvent | SimulatedExpense;

const DAY_MS = 86_400_000;
const LAST_DAY = Math.floor(START_MS / DAY_MS) - 2;
const SKUS = ['shirt', 'mug', 'cap'];

/** Spellings of one SKU. */
const spelled = (sku: string, random: ItemOptions['random']): string => (random.chance(0.2) ? ` ${sku}\u00a0` : sku);
const decimal = (micros: bigint): string => `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`;
const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

export function newOrder({ random, shop, days, orders, newTag }: ItemOptions): SimulatedOrder {
  const tag = `v${newTag()}`;
  const someDay = (): number => LAST_DAY - random.int(0, days - 1);
  /** An instant on a local day of the shop. */
  const instant = (day: number): string =>
    new Date(day * DAY_MS - shop.offsetMinutes * 60_000 + random.int(0, DAY_MS - 1)).toISOString();
  const amount = (most: number): bigint => BigInt(random.int(0, most));
  const updatedAt = START_MS - DAY_MS + random.int(0, 7) * 1000;
  const day = someDay();
  const lines = Array.from({ length: random.int(1, 2) }, (_, i) => ({
    id: `l${i}`,
    quantity: BigInt(random.int(1, 3)) * 1_000_000n,
    price: amount(90_000_000),
    sku: random.pick(SKUS),
    cost: random.chance(0.4) ? amount(40_000_000) : null,
  }));
  const shipping = amount(9_000_000);
  const revenue = lines.reduce((sum, { quantity, price }) => sum + (quantity / 1_000_000n) * price, shipping);
  const refunds = Array.from({ length: random.chance(0.3) ? random.int(1, 2) : 0 }, () => ({
    day: someDay(),
    total: amount(5_000_000),
    fee: amount(100_000),
    restocked: lines.flatMap(({ quantity }, line) => (random.chance(0.5) ? [{ line, quantity }] : [])),
  }));
  const fee = random.chance(0.4) ? amount(2_000_000) : null;
  const status = random.chance(0.9) ? ('paid' as const) : ('voided' as const);
  const deleted = random.chance(0.06);
  const key = `o${random.int(1, orders)}`;
  const placed = instant(day);
  const wire: OrderInput = {
    order_id: key,
    order_name: tag,
    placed_at: placed,
    updated_at: new Date(updatedAt).toISOString(),
    currency: 'EUR',
    status,
    deleted,
    shipping: decimal(shipping),
    total: decimal(revenue),
    line_items: lines.map(({ id, quantity, price, sku, cost }) => ({
      line_id: id,
      quantity: decimal(quantity),
      unit_price: decimal(price),
      sku: spelled(sku, random),
      ...(cost !== null && { unit_cost: decimal(cost) }),
    })),
    ...(fee !== null && { gateway_fee: decimal(fee) }),
    refunds: refunds.map((refund, i) => ({
      refund_id: `r${i}`,
      refunded_at: instant(refund.day),
      total: decimal(refund.total),
      gateway_fee_refund: decimal(refund.fee),
      line_items: refund.restocked.map(({ line, quantity }) => ({
        line_id: `l${line}`,
        quantity: decimal(quantity),
        restock: true,
      })),
    })),
  };
  const counts = status === 'paid' && !deleted;
  const at = { day, placedAt: Date.parse(placed), updatedAt: updatedAt * 1000 };
  return { kind: 'orders', tag, key, counts, ...at, revenue, fee, lines, refunds, wire };
}

export function newCost({ random, days, newTag }: ItemOptions): SimulatedCost {
  const number = newTag();
  const sku = random.pick(SKUS);
  const from = random.chance(0.3) ? null : LAST_DAY - random.int(0, days - 1);
  // Each has a cost of its own, by which it is known again.
  const cost = BigInt(random.int(1, 30)) * 1_000_000n + BigInt(number);
  const wire = {
    sku: spelled(sku, random),
    unit_cost: decimal(cost),
    currency: 'EUR',
    ...(from !== null && { effective_from: dayText(from) }),
  };
  return { kind: 'product_costs', tag: String(cost), key: `${sku}|${from ?? ''}`, sku, from, cost, wire };
}

export function newSpend({ random, days, newTag }: ItemOptions): SimulatedSpend {
  const number = newTag();
  const day = LAST_DAY - random.int(0, days - 1);
  const amount = BigInt(random.int(1, 30)) * 1_000_000n + BigInt(number);
  const campaign = `c${random.int(1, 2)}`;
  const wire = {
    channel: 'google_ads',
    event_date: dayText(day),
    currency: 'EUR',
    campaign_id: campaign,
    spend: decimal(amount),
  };
  return { kind: 'spend', tag: String(amount), key: `${day}|${campaign}`, day, amount, wire };
}

export function newExpense({ random, days, newTag }: ItemOptions): SimulatedExpense {
  const number = newTag();
  const from = LAST_DAY - random.int(-1, days);
  const to = random.chance(0.5) ? from + random.int(0, 3) : null;
  const amount = BigInt(random.int(1, 30)) * 1_000_000n + BigInt(number);
  const frequency = random.pick(EXPENSE_FREQUENCIES);
  const key = `x${random.int(1, 2)}`;
  const wire: ExpenseInput = {
    external_id: key,
    name: 'Rent',
    category: 'other',
    amount: decimal(amount),
    currency: 'EUR',
    frequency,
    started_on: dayText(from),
    ended_on: to === null ? null : dayText(to),
  };
  return { kind: 'expenses', tag: String(amount), key, amount, frequency, from, to, wire };
}

/** Days that an expense may count on. */
export const daysOfExpenses = (days: number) => ({ from: LAST_DAY - days - 1, to: LAST_DAY + 3 });
