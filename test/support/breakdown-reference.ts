import type { OrderInput } from '../../src/domain/orders/orders.js';
import type { Dimension } from '../../src/schemas/breakdown.js';
import type { CostHistory } from './cost-arbitrary.js';

const COUNTRIES = ['de', 'DE', 'FR', undefined];
const CHANNELS = ['Web', ' web ', 'POS', undefined, 'ΟΔΟΣ'];
const CODES = [['Summer ', '=A1'], ['SUMMER'], [], ['a,"b"', 'summer', 'TEN']];
const TAGS = [['VIP', 'Gift'], [], ['vip'], ['Straße', 'gift', 'x'.repeat(255)], ['STRASSE', 'Vip ']];
const CUSTOMERS = ['c-1', 'C-1', undefined];

/** The history with facts and customers, which follow from the numbers of its orders. */
export function withFacts(history: CostHistory): CostHistory {
  const dressed = (order: OrderInput): OrderInput => {
    const i = Number(order.order_id.slice(2));
    const [country, sales_channel] = [COUNTRIES[i % COUNTRIES.length], CHANNELS[i % CHANNELS.length]];
    const customer = CUSTOMERS[i % CUSTOMERS.length];
    return {
      ...order,
      ...(country !== undefined && { country }),
      ...(sales_channel !== undefined && { sales_channel }),
      ...(customer !== undefined && { customer: { id: customer } }),
      discount_codes: [...(CODES[i % CODES.length] ?? [])],
      tags: [...(TAGS[i % TAGS.length] ?? [])],
    };
  };
  const pushes = history.pushes.map((push) =>
    push.kind === 'orders' ? { ...push, orders: push.orders.map(dressed) } : push,
  );
  return { ...history, pushes };
}

const lower = (text: string): string => text.trim().toLowerCase();
/** What an order has of a dimension, as sent, and how spellings compare. */
const FACTS: Record<
  Dimension,
  [of: (order: OrderInput) => readonly (string | undefined)[], fold: (text: string) => string]
> = {
  country: [({ country }) => [country], (text) => text.toUpperCase()],
  sales_channel: [({ sales_channel }) => [sales_channel], lower],
  discount_code: [({ discount_codes }) => discount_codes ?? [], lower],
  tag: [({ tags }) => tags ?? [], lower],
  payment_gateway: [({ payment_gateway }) => [payment_gateway], (text) => text.replaceAll('ß', 'ss').toLowerCase()],
  // No visit is tied to these orders.
  campaign: [() => [], lower],
  customer: [({ customer }) => [customer?.id], (text) => text],
};

/** Orders by key, null for those that have none, and the spelling of the one placed last. */
export function referenceGroups(orders: readonly OrderInput[], by: Dimension) {
  const [of, fold] = FACTS[by];
  const groups = new Map<string | null, { orders: OrderInput[]; name: string | null }>();
  const inTime = orders.toSorted((a, b) => Date.parse(a.placed_at) - Date.parse(b.placed_at));
  for (const order of inTime) {
    const spellings = of(order).filter((text) => text !== undefined);
    for (const spelling of spellings.length === 0 ? [null] : spellings) {
      const key = spelling === null ? null : fold(spelling);
      const group = groups.get(key) ?? { orders: [], name: null };
      group.orders.push(order);
      group.name = by === 'country' ? key : (spelling?.trim() ?? null);
      groups.set(key, group);
    }
  }
  return groups;
}
