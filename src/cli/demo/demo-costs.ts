import type { Client } from '../../client/index.js';
import { inChunks } from '../../domain/in-chunks.js';
import { compareFractions, cut, formatDecimal, fraction, times, type Fraction } from '../../domain/money.js';
import type { RetailOrder } from './online-retail.js';

/** The payment gateway that the demo's orders carry, so that the sample fee rule matches them. */
export const SAMPLE_GATEWAY = 'card';

const MAX_COSTS = 1_000;
const COST_PART = fraction('0.45');

/**
 * Pushes sample costs besides the real orders, whose data set has none: a unit cost for every article (45 % of its lowest
 * price), a fee rule for card payments, ad spend for every day, an agency that counts as ad spend and a software
 * subscription that does not. The same orders give the same costs. Every kind goes to its own endpoint.
 *
 * @param days the days of the orders, `YYYY-MM-DD`
 * @returns what was pushed, in words
 */
export async function pushSampleCosts(ask: Client['request'], orders: RetailOrder[], days: string[]): Promise<string> {
  const [firstDay = ''] = days;
  const costs = unitCosts(orders);
  const rules = [{ payment_gateway: SAMPLE_GATEWAY, percent: '1.4', fixed: '0.20' }];
  const expenses = [
    {
      external_id: 'demo-agency',
      name: 'Search agency',
      category: 'marketing',
      amount: '930.00',
      counts_as_ad_spend: true,
    },
    { external_id: 'demo-software', name: 'Shop software', category: 'software', amount: '155.00' },
  ].map((expense) => ({ ...expense, currency: 'GBP', frequency: 'monthly', started_on: firstDay }));

  for (const chunk of inChunks(costs, MAX_COSTS)) await ask('PUT', '/v1/products/costs', { costs: chunk });
  await ask('PUT', '/v1/costs/gateway-fees', { rules });
  await ask('POST', '/v1/costs/spend', { rows: adSpend(days) });
  for (const expense of expenses) await ask('POST', '/v1/costs/expenses', expense);
  return `${costs.length} unit costs, a fee rule for card payments, ad spend of ${days.length} days, ${expenses.length} expenses`;
}

function unitCosts(orders: RetailOrder[]): { sku: string; unit_cost: string }[] {
  const lowest = new Map<string, Fraction>();
  for (const { sku, unit_price } of orders.flatMap((order) => order.line_items)) {
    if (sku === undefined) continue;
    const price = fraction(unit_price);
    const known = lowest.get(sku);
    if (known === undefined || compareFractions(price, known) < 0) lowest.set(sku, price);
  }
  return [...lowest].map(([sku, price]) => ({ sku, unit_cost: formatDecimal(cut(times(price, COST_PART), 2)) }));
}

function adSpend(days: string[]): { channel: string; event_date: string; currency: string; spend: string }[] {
  return days.map((day) => ({
    channel: 'Search ads',
    event_date: day,
    currency: 'GBP',
    spend: `${400 + 25 * Number(day.slice(-1))}.00`,
  }));
}
